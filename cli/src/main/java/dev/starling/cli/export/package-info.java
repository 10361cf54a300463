/** Models for other programs: {@code export}. */
package dev.starling.cli.export;
