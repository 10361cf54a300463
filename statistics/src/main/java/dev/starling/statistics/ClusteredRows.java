package dev.starling.statistics;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.inference.Cluster;
import dev.starling.internal.Cholesky;
import dev.starling.loss.Likelihood;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Rows sorted by cluster, with the columns that do not depend on those before them.
 *
 * @param clusters the rows of each cluster, in the order in which clusters appear
 * @param names the names of all columns, the intercept's first if there is one
 * @param kept the columns that are in the rows
 * @param columns how many these are
 */
record ClusteredRows(List<Cluster> clusters, List<String> names, boolean[] kept, int columns) {

    /** The part of a column that those before it must leave over. */
    private static final double DEPENDENT = 0x1p-40;

    /** Sorts rows; those without a weight do not count. */
    static ClusteredRows of(Dataset data, long[] keys, boolean intercept, Likelihood family) {
        family.domain().require(data, 0, data.rows(), family.name());
        int first = intercept ? 1 : 0;
        List<String> names = new ArrayList<>(intercept ? List.of(GlmTable.INTERCEPT) : List.of());
        for (int c = 0; c < data.features(); c++) {
            names.add(c < data.names().size() ? data.names().get(c) : "feature " + (c + 1));
        }
        double[][] x = new double[data.rows()][];
        for (int i = 0; i < x.length; i++) {
            double[] row = Scores.row(data, i, data.features(), false);
            x[i] = new double[first + row.length];
            x[i][0] = 1;
            System.arraycopy(row, 0, x[i], first, row.length);
        }
        boolean[] kept = independent(x, data);
        int[] used = IntStream.range(0, kept.length).filter(c -> kept[c]).toArray();
        Map<Long, List<Integer>> members = new LinkedHashMap<>();
        for (int i = 0; i < x.length; i++) {
            if (data.weight(i) > 0) {
                members.computeIfAbsent(keys[i], key -> new ArrayList<>()).add(i);
            }
        }
        if (members.size() < 2) {
            throw new InvalidInputException("a random intercept of " + members.size()
                    + " cluster; there must be at least two, and rather more than five");
        }
        List<Cluster> clusters = members.values().stream()
                .map(rows -> new Cluster(
                        rows.stream()
                                .map(i -> Arrays.stream(used)
                                        .mapToDouble(c -> x[i][c])
                                        .toArray())
                                .toArray(double[][]::new),
                        rows.stream()
                                .mapToDouble(i -> family.response(data.label(i)))
                                .toArray(),
                        rows.stream().mapToDouble(data::label).toArray(),
                        rows.stream().mapToDouble(data::weight).toArray(),
                        rows.stream().mapToDouble(data::offset).toArray()))
                .toList();
        return new ClusteredRows(clusters, List.copyOf(names), kept, used.length);
    }

    private static boolean[] independent(double[][] x, Dataset data) {
        int d = x[0].length;
        double[] gram = new double[d * d];
        for (int i = 0; i < x.length; i++) {
            for (int a = 0; a < d; a++) {
                for (int b = 0; b < d; b++) {
                    gram[a * d + b] = Math.fma(data.weight(i) * x[i][a], x[i][b], gram[a * d + b]);
                }
            }
        }
        return Cholesky.independent(gram, d, DEPENDENT);
    }

    /** How far the largest label is from the smallest, both less their offsets. */
    double spread() {
        DoubleSummaryStatistics labels = clusters.stream()
                .flatMapToDouble(cluster ->
                        IntStream.range(0, cluster.y().length).mapToDouble(i -> cluster.y()[i] - cluster.offsets()[i]))
                .summaryStatistics();
        return labels.getMax() - labels.getMin();
    }

    /** The number of rows. */
    int rows() {
        return clusters.stream().mapToInt(cluster -> cluster.y().length).sum();
    }
}
