/** The commands {@code generate} and {@code topology}, which make data and graphs to work with. */
package dev.starling.cli.make;
