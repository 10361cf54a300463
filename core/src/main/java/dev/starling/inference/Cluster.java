package dev.starling.inference;

/**
 * The rows of a cluster.
 *
 * @param x their columns
 * @param y their responses
 * @param labels what the family calls these
 */
public record Cluster(double[][] x, double[] y, double[] labels, double[] weights, double[] offsets) {}
