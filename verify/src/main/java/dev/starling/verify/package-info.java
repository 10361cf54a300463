/**
 * Checks certificates with twice the digits, by an independent implementation of the formulas. It shares the reading of
 * rows and models with training, but no arithmetic, so that no mistake is in both. Losses are defined in {@code loss},
 * by the arithmetic of {@code digits}; what proves something about their problems is in {@code proof}; here claims are
 * read, and judged.
 */
package dev.starling.verify;
