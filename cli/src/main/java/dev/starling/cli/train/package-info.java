/** The commands {@code train} and {@code predict}. */
package dev.starling.cli.train;
