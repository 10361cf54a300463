/**
 * Loops on all cores that the caller was given, with the same bits for any number of them: whoever starts the work says
 * how many {@link dev.starling.cores.Cores} it may use, and the loops over rows in it find them.
 */
package dev.starling.cores;
