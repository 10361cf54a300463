/** The command {@code export}: models for other programs. */
package dev.starling.cli.export;
