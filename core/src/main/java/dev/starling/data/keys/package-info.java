/**
 * Hashes of rows: keys that decide which rows are held out and which fold they are in, and fingerprints of whole data
 * sets. They depend on what rows hold, never on how that is laid out in memory.
 */
package dev.starling.data.keys;
