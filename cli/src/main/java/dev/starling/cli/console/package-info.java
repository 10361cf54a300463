/** What commands share at the terminal: progress, results, JSON, interrupts. */
package dev.starling.cli.console;
