/** The lower bound of the paper, and the worst-case functions behind it. */
package dev.starling.lab.bound;
