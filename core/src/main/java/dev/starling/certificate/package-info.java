/** Proofs of how good a parameter is (certificates), and the rules for when it is good enough. */
package dev.starling.certificate;
