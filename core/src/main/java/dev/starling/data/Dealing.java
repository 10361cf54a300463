package dev.starling.data;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.simple.RandomSource;

/**
 * A way to deal rows to nodes. All but {@code turns} make nodes that differ, as the sites of a study do:
 *
 * <ul>
 *   <li>{@code turns}: row r goes to node r mod n;
 *   <li>{@code blocks}: the first rows go to the first node, and so on, in the order of the file;
 *   <li>{@code labels}: the same, in the order of the labels;
 *   <li>{@code column:C}: the same, in the order of a column's values, by its name or its number from 1;
 *   <li>{@code sizes:S}: in turn, but node k gets a share proportional to (k+1)^(−S);
 *   <li>{@code dirichlet:A}: of every class (of numbers: of every tenth of their range), the nodes get shares that are
 *       drawn from Dirichlet(A, …, A). The smaller A, the fewer nodes share a class.
 * </ul>
 *
 * Every node gets at least one row.
 */
public final class Dealing {

    /** Row r goes to node r mod n. */
    public static final Dealing TURNS = new Dealing("turns", "");

    private static final List<String> NAMES =
            List.of("turns", "blocks", "labels", "column:C", "sizes:S", "dirichlet:A");
    private static final int MOST_CLASSES = 10;

    private final String kind;
    private final String parameter;

    private Dealing(String kind, String parameter) {
        this.kind = kind;
        this.parameter = parameter;
    }

    /** Returns the way to deal rows that is spelled like this. */
    public static Dealing named(String spelling) {
        int colon = spelling.indexOf(':');
        String kind = (colon < 0 ? spelling : spelling.substring(0, colon)).toLowerCase(Locale.ROOT);
        String parameter = colon < 0 ? "" : spelling.substring(colon + 1);
        if (spelling.equals(TURNS.kind)) {
            return TURNS;
        }
        Dealing dealing = new Dealing(kind, parameter);
        switch (kind) {
            case "turns", "blocks", "labels" -> {
                if (colon >= 0) {
                    throw new InvalidInputException("deal '" + spelling + "': " + kind + " has no parameter");
                }
            }
            case "column" -> {
                if (parameter.isEmpty()) {
                    throw new InvalidInputException("deal '" + spelling + "' names no column, as column:3 does");
                }
            }
            case "sizes", "dirichlet" -> dealing.positive();
            default -> throw InvalidInputException.unknownName("way to deal rows", spelling, NAMES);
        }
        return dealing;
    }

    private double positive() {
        return InvalidInputException.parsed(
                () -> Double.parseDouble(parameter),
                value -> value > 0 && value <= 1e6,
                () -> "deal '" + this + "' needs a number above 0 and at most 1e6, as in " + kind + ":0.5");
    }

    /**
     * Returns the numbers of the rows that each node gets, ascending unless they are sorted by something else.
     *
     * @throws InvalidInputException if there are fewer rows than nodes, or no such column
     */
    public int[][] rows(Dataset data, int nodes, long seed) {
        if (nodes > data.rows()) {
            throw new InvalidInputException(nodes + " nodes for " + data.rows()
                    + " samples; every node needs at least one, so use at most " + data.rows() + " nodes");
        }
        return switch (kind) {
            case "turns" -> turns(data, nodes);
            case "blocks" -> blocks(IntStream.range(0, data.rows()).toArray(), nodes);
            case "labels" -> blocks(sorted(data, data::label), nodes);
            case "column" -> blocks(sorted(data, column(data)), nodes);
            case "sizes" -> sizes(data.rows(), nodes, positive());
            default -> dirichlet(data, nodes, positive(), seed);
        };
    }

    private static int[][] turns(Dataset data, int nodes) {
        return IntStream.range(0, nodes)
                .mapToObj(node -> Dataset.turns(data.rows(), node, nodes))
                .toArray(int[][]::new);
    }

    private static int[][] blocks(int[] order, int nodes) {
        return IntStream.range(0, nodes)
                .mapToObj(node -> Arrays.copyOfRange(order, (int) ((long) order.length * node / nodes), (int)
                        ((long) order.length * (node + 1) / nodes)))
                .toArray(int[][]::new);
    }

    private static int[] sorted(Dataset data, IntToDoubleFunction key) {
        return IntStream.range(0, data.rows())
                .boxed()
                .sorted(Comparator.comparingDouble(key::applyAsDouble))
                .mapToInt(Integer::intValue)
                .toArray();
    }

    private IntToDoubleFunction column(Dataset data) {
        int column = data.names().indexOf(parameter);
        if (column < 0 && parameter.matches("[0-9]{1,9}")) {
            column = Integer.parseInt(parameter) - 1;
        }
        if (column < 0 || column >= data.features()) {
            throw new InvalidInputException("deal '" + this + "': there is no such column; give its name, or a number"
                    + " from 1 to " + data.features());
        }
        double[] unit = new double[data.features()];
        unit[column] = 1;
        return row -> data.dot(row, unit);
    }

    /** Gives each row to the node that is furthest behind its share. */
    private static int[][] sizes(int rows, int nodes, double power) {
        double[] shares = new double[nodes];
        Arrays.setAll(shares, node -> StrictMath.pow(node + 1, -power));
        double total = Arrays.stream(shares).sum();
        int[] counts = new int[nodes];
        Arrays.setAll(counts, node -> Math.max(1, (int) (rows * shares[node] / total)));
        int left = rows - Arrays.stream(counts).sum();
        // Nodes that would have had none took theirs from the others, and rounding down leaves some.
        for (int node = 0; left != 0; node = (node + 1) % nodes) {
            int change = left > 0 ? 1 : counts[node] > 1 ? -1 : 0;
            counts[node] += change;
            left -= change;
        }
        int[][] dealt = new int[nodes][];
        Arrays.setAll(dealt, node -> new int[counts[node]]);
        int[] given = new int[nodes];
        for (int row = 0; row < rows; row++) {
            int behind = 0;
            double most = Double.NEGATIVE_INFINITY;
            for (int node = 0; node < nodes; node++) {
                double missing = given[node] < counts[node]
                        ? (double) (row + 1) * counts[node] / rows - given[node]
                        : Double.NEGATIVE_INFINITY;
                if (missing > most) {
                    most = missing;
                    behind = node;
                }
            }
            dealt[behind][given[behind]++] = row;
        }
        return dealt;
    }

    private static int[][] dirichlet(Dataset data, int nodes, double alpha, long seed) {
        UniformRandomProvider random = RandomSource.XO_SHI_RO_256_PP.create(seed);
        List<List<Integer>> dealt = new ArrayList<>();
        for (int node = 0; node < nodes; node++) {
            dealt.add(new ArrayList<>());
        }
        for (int[] alike : classes(data)) {
            double[] shares = new double[nodes];
            Arrays.setAll(shares, node -> gamma(random, alpha));
            double total = Arrays.stream(shares).sum();
            double cumulated = 0;
            int next = 0;
            for (int node = 0; node < nodes; node++) {
                cumulated += total > 0 ? shares[node] / total : 1.0 / nodes;
                int end = node == nodes - 1 ? alike.length : (int) Math.min(alike.length, alike.length * cumulated);
                for (; next < end; next++) {
                    dealt.get(node).add(alike[next]);
                }
            }
        }
        for (List<Integer> own : dealt) {
            if (own.isEmpty()) {
                List<Integer> largest =
                        dealt.stream().max(Comparator.comparingInt(List::size)).orElseThrow();
                own.add(largest.remove(largest.size() - 1));
            }
        }
        return dealt.stream()
                .map(own -> own.stream().mapToInt(Integer::intValue).sorted().toArray())
                .toArray(int[][]::new);
    }

    /** The rows of each class; of numbers, of each tenth of their order. */
    private static int[][] classes(Dataset data) {
        int[] order = sorted(data, data::label);
        double[] labels = Arrays.stream(order)
                .mapToDouble(data::label)
                .distinct()
                .limit(MOST_CLASSES + 1L)
                .toArray();
        if (labels.length > MOST_CLASSES) {
            return blocks(order, MOST_CLASSES);
        }
        return Arrays.stream(labels)
                .mapToObj(label -> Arrays.stream(order)
                        .filter(row -> data.label(row) == label)
                        .toArray())
                .toArray(int[][]::new);
    }

    /** A number from the gamma distribution (Marsaglia and Tsang, 2000), with normal numbers by Box and Muller. */
    private static double gamma(UniformRandomProvider random, double shape) {
        if (shape < 1) {
            return gamma(random, shape + 1) * StrictMath.pow(uniform(random), 1 / shape);
        }
        double d = shape - 1.0 / 3;
        double c = 1 / Math.sqrt(9 * d);
        while (true) {
            double normal =
                    Math.sqrt(-2 * StrictMath.log(uniform(random))) * StrictMath.cos(2 * Math.PI * uniform(random));
            double v = 1 + c * normal;
            v = v * v * v;
            if (v > 0 && StrictMath.log(uniform(random)) < 0.5 * normal * normal + d - d * v + d * StrictMath.log(v)) {
                return d * v;
            }
        }
    }

    /** A number above 0 and at most 1. */
    private static double uniform(UniformRandomProvider random) {
        return (1 + (random.nextLong() >>> 11)) * 0x1p-53;
    }

    /** Returns its spelling. */
    @Override
    public String toString() {
        return parameter.isEmpty() ? kind : kind + ":" + parameter;
    }
}
