/**
 * The table a statistician reads, from a model that was trained with standard errors: estimates, tests and intervals,
 * likelihoods and comparisons, each number with a bound on its error.
 *
 * <p>It has more types than most packages, because each family of models and each kind of table is one.
 */
package dev.starling.statistics;
