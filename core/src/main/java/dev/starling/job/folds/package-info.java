/**
 * Cross-validation at one node: which of its rows are in which fold, what must hold of folds before anything is
 * trained, and how well models predict the rows that they have not seen.
 */
package dev.starling.job.folds;
