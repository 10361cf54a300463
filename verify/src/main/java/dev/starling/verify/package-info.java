/**
 * Checks certificates with twice the digits, by an independent implementation of the formulas. It shares the reading of
 * rows and models with training, but no arithmetic, so that no mistake is in both.
 *
 * <p>It has more types than most packages, because each kind of likelihood has a definition of its own here.
 */
package dev.starling.verify;
