/**
 * Dual coordinate steps: every node improves the slopes of its own rows, and what that changes is added up over all
 * nodes.
 */
package dev.starling.method.dual;
