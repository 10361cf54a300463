/**
 * Shared by methods whose nodes exchange nothing but sums over their rows. A node's program contributes its addend to a
 * sum, and all nodes decide from the totals what to sum next.
 */
package dev.starling.method.sums;
