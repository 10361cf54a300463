/** The lower bound of the paper, and the function that it is about. */
package dev.starling.lab.bound;
