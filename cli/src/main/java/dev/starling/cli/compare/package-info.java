/** The commands that compare methods, {@code compare}, {@code plan} and {@code reproduce}, and their reports. */
package dev.starling.cli.compare;
