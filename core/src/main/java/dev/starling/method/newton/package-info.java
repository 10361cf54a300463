/** Newton's method over a network: passes over all rows, sums over a spanning tree, steps decided at its root. */
package dev.starling.method.newton;
