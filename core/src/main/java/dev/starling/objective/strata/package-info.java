/**
 * Terms that compare the rows of a stratum with each other: Cox's partial likelihood, and an intercept of its own for
 * every stratum. Each stratum is a part of the sum, whichever node has it.
 */
package dev.starling.objective.strata;
