package dev.starling.lab.leakage;

import java.util.Optional;

/**
 * The totals of a pass over all rows, as every site has them.
 *
 * @param run the run's name
 * @param number the number of the sum in its run
 * @param first whether it is the first pass of its run, which every run makes at 0
 * @param weight the weight of the rows
 * @param gradient the sum of slopes times features
 * @param hessian the sum of curvatures times products of features, if it was asked for
 */
public record Pass(
        String run, long number, boolean first, double weight, double[] gradient, Optional<double[][]> hessian) {}
