/**
 * What is added up, row by row and place by place, before measures are known: counts, losses, and bins of scores. Sites
 * add it up in hidden sums, Spark's tasks and the rows of a file in memory.
 */
package dev.starling.evaluation.tally;
