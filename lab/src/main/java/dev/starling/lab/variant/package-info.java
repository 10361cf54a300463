/** Variants of ADFS: those of the paper, and others that training does not use. */
package dev.starling.lab.variant;
