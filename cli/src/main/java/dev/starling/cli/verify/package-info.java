/**
 * The command {@code verify}: certificates checked in twice the digits, by formulas written a second time. It takes
 * rows and models from the rest, but no arithmetic, so that one mistake cannot be in both.
 */
package dev.starling.cli.verify;
