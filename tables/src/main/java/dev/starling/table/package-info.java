/** Tables of text with named columns: reading and building them, and what their columns hold. */
package dev.starling.table;
