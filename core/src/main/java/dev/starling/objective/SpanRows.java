package dev.starling.objective;

import dev.starling.cores.Loops;
import dev.starling.data.Dataset;
import dev.starling.node.Streams;
import dev.starling.problem.LocalProblem;
import org.apache.commons.rng.UniformRandomProvider;

/** A node's contribution to finding the span of all rows, and then the coordinates of its rows in that span. */
final class SpanRows {

    private final LocalProblem problem;
    private final PassLayout layout;
    private Span span;
    private double[][] coordinates = {};

    SpanRows(LocalProblem problem, PassLayout layout) {
        this.problem = problem;
        this.layout = layout;
    }

    /**
     * Adds Σ u uᵀω over the rows' directions u = x/‖x‖, for as many random vectors ω as there are rows on all nodes.
     * All nodes use the same ω, so the totals do not depend on which node has which rows, nor on the lengths of rows.
     */
    void addCombinations(double[] sums) {
        Dataset data = problem.data();
        double[] squares = squares();
        Loops.run(layout.combinations(), k -> {
            double[] omega = new double[layout.parameters()];
            UniformRandomProvider random = Streams.shared(k);
            for (int c = 0; c < omega.length; c++) {
                omega[c] = random.nextDouble() - 0.5;
            }
            int at = layout.hessian() + k * layout.parameters();
            for (int j = 0; j < squares.length; j++) {
                int row = problem.row(j);
                if (squares[j] > 0) {
                    data.addTo(row, data.dot(row, omega) / squares[j], sums, at);
                }
            }
        });
    }

    private double[] squares() {
        Dataset data = problem.data();
        double[] squares = new double[problem.samples()];
        for (int j = 0; j < squares.length; j++) {
            int row = problem.row(j);
            for (int at = data.start(row); at < data.end(row); at++) {
                double value = data.value(row, at);
                squares[j] += value * value;
            }
        }
        return squares;
    }

    /** Computes the coordinates of the rows in a span, unless they are known. */
    void project(Span newSpan) {
        if (span == newSpan) {
            return;
        }
        span = newSpan;
        coordinates = new double[problem.samples()][layout.curved()];
        Loops.run(coordinates.length, j -> {
            for (int k = 0; k < layout.curved(); k++) {
                coordinates[j][k] = problem.data().dot(problem.row(j), span.vectors()[k]);
            }
        });
    }

    /**
     * Adds the outer products of the coordinates of {@code count} samples, starting at index {@code first}, times their
     * curvatures.
     */
    void addOuterProducts(int first, int count, double[] curvatures, double[] sums) {
        OuterProducts.add(first, count, coordinates, curvatures, sums, layout.hessian());
    }
}
