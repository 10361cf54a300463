/** Commands that make something to work with: {@code generate}, {@code topology}. */
package dev.starling.cli.make;
