/**
 * The table a statistician reads, from a model that was trained with standard errors: estimates, tests and intervals,
 * likelihoods and comparisons, each number with a bound on its error.
 */
package dev.starling.statistics;
