/** Options that several commands share. */
package dev.starling.cli.options;
