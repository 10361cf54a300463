/** Variants of ADFS: locally synchronous, on matchings, pairs or part of the edges. */
package dev.starling.lab.variant;
