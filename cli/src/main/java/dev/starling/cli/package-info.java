/** The {@code starling} command; its subcommands are in packages of their own, grouped by what they do. */
package dev.starling.cli;
