package dev.starling.support;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.loss.LabelDomain;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Small random problems of the kinds that rounding is hard on, on graphs of 1 to 50 nodes. */
public final class NastyProblems {

    private static final int MOST_NODES = 50;

    /** The losses of one margin that take any number, or classes. */
    private static final List<Loss> LOSSES = Losses.names().stream()
            .map(Losses::named)
            .filter(loss -> loss.outputs() == 1)
            .filter(loss -> loss.isClassification() || loss.domain() == LabelDomain.REAL)
            .toList();

    private NastyProblems() {}

    /** What is nasty about the rows. */
    public enum Kind {
        ONE_ROW,
        FAR_MORE_FEATURES_THAN_ROWS,
        EQUAL_ROWS,
        EQUAL_AND_CONSTANT_COLUMNS,
        SEPARABLE,
        SCALES_OF_A_MILLION_AND_A_MILLIONTH,
        FAR_FROM_ZERO,
        HEAVY_TAILS,
        FEW_NON_ZEROS
    }

    /**
     * A problem.
     *
     * @param seed what it was made from
     */
    public record Nasty(long seed, Dataset data, String loss, double lambda, double l1, Network network) {

        /** The nodes that share the rows. */
        public int nodes() {
            return network.size();
        }

        @Override
        public String toString() {
            return "seed " + seed + ": " + data + ", " + loss + ", lambda " + lambda + ", l1 " + l1 + ", "
                    + network.description();
        }
    }

    /** As many problems as asked for, the same ones every time: those of every loss and kind in turn. */
    public static Stream<Nasty> of(int count) {
        return IntStream.range(0, count).mapToObj(NastyProblems::one);
    }

    /** The same with an l1 term as well, from next to nothing to one that leaves no weight other than 0. */
    public static Stream<Nasty> nets(int count) {
        return of(count).map(nasty -> {
            double l1 = Math.pow(10, -8 + 10 * new Random(nasty.seed).nextDouble());
            return new Nasty(nasty.seed, nasty.data, nasty.loss, nasty.lambda, l1, nasty.network);
        });
    }

    private static Nasty one(int seed) {
        Random random = new Random(seed);
        Loss loss = LOSSES.get(seed % LOSSES.size());
        Kind kind = Kind.values()[seed / LOSSES.size() % Kind.values().length];
        boolean classes = loss.isClassification();
        int rows = kind == Kind.ONE_ROW ? (classes ? 2 : 1) : 2 + random.nextInt(random.nextBoolean() ? 10 : 60);
        double[][] x = new double[rows][features(kind, random)];
        double[] y = new double[rows];
        for (int i = 0; i < rows; i++) {
            for (int c = 0; c < x[i].length; c++) {
                x[i][c] = random.nextGaussian();
            }
            spoil(kind, x, i, random);
            boolean positive = kind == Kind.SEPARABLE ? x[i][0] > 0 : random.nextBoolean();
            y[i] = classes ? (positive ? 1 : -1) : random.nextGaussian() * (random.nextInt(4) == 0 ? 1e3 : 1);
        }
        if (classes) {
            // A problem of one class is refused.
            y[0] = -y[rows - 1];
        }
        double lambda = Math.pow(10, -12 + 13 * random.nextDouble());
        return new Nasty(seed, Dataset.of(x, y), loss.name(), lambda, 0, network(rows, random));
    }

    private static int features(Kind kind, Random random) {
        return switch (kind) {
            case FAR_MORE_FEATURES_THAN_ROWS -> 80 + random.nextInt(120);
            case FEW_NON_ZEROS -> 20 + random.nextInt(30);
            default -> 1 + random.nextInt(6);
        };
    }

    /** Of any family that has a graph of that size. */
    private static Network network(int rows, Random random) {
        int nodes = 1 + random.nextInt(Math.min(MOST_NODES, rows));
        List<String> families = Topology.names();
        while (true) {
            try {
                return Topology.named(families.get(random.nextInt(families.size())))
                        .build(nodes, random.nextInt());
            } catch (InvalidInputException e) {
                // Hypercubes and random regular graphs do not come in every size; a line does.
                families = families.size() == 1 ? List.of("line") : families.subList(0, families.size() - 1);
            }
        }
    }

    private static void spoil(Kind kind, double[][] x, int row, Random random) {
        int last = x[row].length - 1;
        switch (kind) {
            case EQUAL_ROWS -> x[row] = row == 0 ? x[0] : x[0].clone();
            case EQUAL_AND_CONSTANT_COLUMNS -> {
                x[row][last] = 1;
                x[row][0] = x[row][last / 2];
            }
            case SCALES_OF_A_MILLION_AND_A_MILLIONTH ->
                Arrays.setAll(x[row], c -> x[row][c] * (c % 2 == 0 ? 1e6 : 1e-6));
            case FAR_FROM_ZERO -> Arrays.setAll(x[row], c -> 1000 + x[row][c] * 1e-3);
            case HEAVY_TAILS -> Arrays.setAll(x[row], c -> Math.pow(x[row][c], 5));
            case FEW_NON_ZEROS -> Arrays.setAll(x[row], c -> random.nextInt(10) == 0 ? x[row][c] : 0);
            default -> {
                // As drawn.
            }
        }
    }
}
