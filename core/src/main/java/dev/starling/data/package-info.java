/**
 * Rows: reading, writing and generating them, labels, scales. Everything begins with a
 * {@link dev.starling.data.Dataset}.
 */
package dev.starling.data;
