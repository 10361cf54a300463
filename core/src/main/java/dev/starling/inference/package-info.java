/** The statistics of a fit without regularisation, from sums: the information, its inverse, and bounds on both. */
package dev.starling.inference;
