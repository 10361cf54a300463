/** Proofs of how good a parameter is, and when one is good enough. */
package dev.starling.certificate;
