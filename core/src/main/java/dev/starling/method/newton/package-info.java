/** Newton's method on a network: orders go down a spanning tree, sums come up, and the gradient is the certificate. */
package dev.starling.method.newton;
