package dev.starling.objective;

/**
 * The columns of which a pass computes the Hessian, where there are too many for all of them.
 *
 * @param columns the columns, in ascending order
 * @param caution from 0 to 1: by which part a row's curvature is raised towards the greatest one that the loss has, so
 *     that steps do not rely on rows having as little curvature where they lead as where they start
 */
public record WorkingSet(int[] columns, double caution) {}
