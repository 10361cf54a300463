package dev.starling.cli.page;

import dev.starling.network.Network;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Positions for the nodes of a graph, such that the distance between two nodes is close to the number of hops between
 * them: classical scaling to start with, then stress majorization. The same graph always gets the same positions.
 */
public final class GraphLayout {

    private static final int POWER_STEPS = 200;
    private static final int SWEEPS = 60;

    private final int size;
    private final double[][] hops;

    /** The two ends of every edge. */
    public static List<int[]> edges(Network network) {
        return IntStream.range(0, network.edges())
                .mapToObj(edge -> new int[] {network.tail(edge), network.head(edge)})
                .toList();
    }

    private GraphLayout(Network network) {
        this.size = network.size();
        this.hops = IntStream.range(0, size)
                .mapToObj(node ->
                        Arrays.stream(network.hops(node)).asDoubleStream().toArray())
                .toArray(double[][]::new);
    }

    /** Returns a position in the unit square for every node. */
    public static double[][] of(Network network) {
        if (network.size() == 1) {
            return new double[][] {{0.5, 0.5}};
        }
        GraphLayout layout = new GraphLayout(network);
        double[][] places = layout.scaled();
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            places = layout.majorized(places);
        }
        return inUnitSquare(upright(network, places));
    }

    /** Rotates the picture so that edges are as close to horizontal or vertical as possible. */
    private static double[][] upright(Network network, double[][] places) {
        double sines = 0;
        double cosines = 0;
        for (int edge = 0; edge < network.edges(); edge++) {
            double[] tail = places[network.tail(edge)];
            double[] head = places[network.head(edge)];
            double quadrupled = 4 * StrictMath.atan2(head[1] - tail[1], head[0] - tail[0]);
            sines += StrictMath.sin(quadrupled);
            cosines += StrictMath.cos(quadrupled);
        }
        double angle = -StrictMath.atan2(sines, cosines) / 4;
        double[][] turned = new double[places.length][];
        for (int i = 0; i < places.length; i++) {
            turned[i] = new double[] {
                places[i][0] * StrictMath.cos(angle) - places[i][1] * StrictMath.sin(angle),
                places[i][0] * StrictMath.sin(angle) + places[i][1] * StrictMath.cos(angle)
            };
        }
        return turned;
    }

    /** The two leading eigenvectors of the doubly centred squared distances. */
    private double[][] scaled() {
        double[][] centred = new double[size][size];
        double[] means = new double[size];
        double mean = 0;
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) {
                means[i] += hops[i][j] * hops[i][j] / size;
            }
            mean += means[i] / size;
        }
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) {
                centred[i][j] = (means[i] + means[j] - mean - hops[i][j] * hops[i][j]) / 2;
            }
        }
        double[] first = leading(centred, null, 1);
        double[] second = leading(centred, first, 2);
        double[][] places = new double[size][];
        for (int i = 0; i < size; i++) {
            places[i] = new double[] {first[i], second[i]};
        }
        return places;
    }

    /**
     * Power iteration, orthogonal to an eigenvector found earlier; the result is scaled by the root of its eigenvalue.
     */
    private double[] leading(double[][] matrix, double[] before, int salt) {
        double[] vector = new double[size];
        for (int i = 0; i < size; i++) {
            vector[i] = StrictMath.sin(salt * (i + 1.0) * 1.7) + 0.01 * i;
        }
        double norm = 1;
        for (int step = 0; step < POWER_STEPS; step++) {
            if (before != null) {
                double share = dot(vector, before) / dot(before, before);
                for (int i = 0; i < size; i++) {
                    vector[i] -= share * before[i];
                }
            }
            double[] next = new double[size];
            for (int i = 0; i < size; i++) {
                next[i] = dot(matrix[i], vector);
            }
            norm = Math.sqrt(dot(next, next));
            if (!(norm > 0)) {
                return vector;
            }
            for (int i = 0; i < size; i++) {
                vector[i] = next[i] / norm;
            }
        }
        for (int i = 0; i < size; i++) {
            vector[i] *= Math.sqrt(norm);
        }
        return vector;
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    /**
     * Moves every node to the weighted average of the positions that the others would give it; near nodes weigh most.
     */
    private double[][] majorized(double[][] places) {
        double[][] moved = new double[size][2];
        for (int i = 0; i < size; i++) {
            double total = 0;
            for (int j = 0; j < size; j++) {
                if (i == j) {
                    continue;
                }
                double weight = 1 / (hops[i][j] * hops[i][j]);
                double dx = places[i][0] - places[j][0];
                double dy = places[i][1] - places[j][1];
                double distance = Math.max(1e-9, Math.sqrt(dx * dx + dy * dy));
                moved[i][0] += weight * (places[j][0] + hops[i][j] * dx / distance);
                moved[i][1] += weight * (places[j][1] + hops[i][j] * dy / distance);
                total += weight;
            }
            moved[i][0] /= total;
            moved[i][1] /= total;
        }
        return moved;
    }

    private static double[][] inUnitSquare(double[][] places) {
        double[] low = {Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY};
        double[] high = {Double.NEGATIVE_INFINITY, Double.NEGATIVE_INFINITY};
        for (double[] place : places) {
            for (int c = 0; c < 2; c++) {
                low[c] = Math.min(low[c], place[c]);
                high[c] = Math.max(high[c], place[c]);
            }
        }
        double extent = Math.max(1e-9, Math.max(high[0] - low[0], high[1] - low[1]));
        double[][] result = new double[places.length][2];
        for (int i = 0; i < places.length; i++) {
            for (int c = 0; c < 2; c++) {
                result[i][c] = 0.5 + (places[i][c] - (low[c] + high[c]) / 2) / extent;
            }
        }
        return result;
    }
}
