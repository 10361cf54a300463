package dev.starling.support;

import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.loss.LabelDomain;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.method.Methods;
import dev.starling.model.LinearModel;
import dev.starling.settings.Scaling;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A row of the table {@code golden/runs.tsv}: data, settings, and the digest of the weights that training must end with on
 * every runtime. Every setting that decides a bit is a column, so that no default of a runtime counts.
 *
 * @param standardise none; centred: to mean 0 and deviation 1; scaled: to deviation 1 only
 * @param bias of the intercept's feature; 0 for none
 * @param intercept whether there is one that is not regularised, for which the table has the bias "free"
 * @param classWeights by label; labels without one have 1
 * @param classes how many classes the labels 0, 1, … name; 0 in regression
 * @param tau the delay τ to tune for
 * @param digest of the model, see {@link #digest(LinearModel)}
 * @param reason why the digest is not what it was before, or since when it is pinned
 */
public record PinnedRun(
        String name,
        String loss,
        String method,
        double lambda,
        double l1,
        String standardise,
        double bias,
        boolean intercept,
        boolean rowWeights,
        Map<Double, Double> classWeights,
        int rows,
        int features,
        double density,
        int classes,
        int nodes,
        String topology,
        double tau,
        double gap,
        int maxEpochs,
        long seed,
        String digest,
        String reason) {

    private static final String TABLE = "/golden/runs.tsv";
    private static final String FREE = "free";

    /** A digest without a reason is one that nobody has thought about. */
    public PinnedRun {
        if (reason.isBlank()) {
            throw new IllegalArgumentException(TABLE + ": the digest of " + name + " needs a reason");
        }
    }

    /** The runs of methods that are on the class path: those of the lab are only where the lab is. */
    public static Stream<PinnedRun> possible() {
        List<String> methods = Methods.names();
        return all().filter(run -> methods.contains(run.method()));
    }

    /** The runs whose losses need more than one bounded curvature per row: one of each kind. */
    public static Stream<PinnedRun> ofTerms() {
        return all().filter(run ->
                List.of("newton-poisson-free-ring", "newton-softmax-star").contains(run.name()));
    }

    /** What the run trains with. */
    public Trainer trainer() {
        Loss named = Losses.named(loss);
        return Trainer.of(named)
                .oneVersusRest(named.isClassification() && named.outputs() == 1)
                .method(method)
                .lambda(lambda)
                .l1(l1)
                .scaling(scaling())
                .bias(bias)
                .intercept(intercept)
                .classWeights(classWeights)
                .nodes(nodes)
                .topology(topology)
                .delay(tau)
                .gap(gap)
                .maxEpochs(maxEpochs)
                .seed(seed);
    }

    /** The whole table. */
    public static Stream<PinnedRun> all() {
        List<List<String>> lines =
                text().lines().map(line -> Arrays.asList(line.split("\t", -1))).toList();
        List<String> columns = lines.get(0);
        return lines.stream().skip(1).map(cells -> {
            if (cells.size() != columns.size()) {
                throw new IllegalStateException(
                        TABLE + ": " + cells.size() + " cells in the row " + cells + ", not " + columns.size());
            }
            Map<String, String> row = new HashMap<>();
            for (int c = 0; c < columns.size(); c++) {
                row.put(columns.get(c), cells.get(c));
            }
            return of(row);
        });
    }

    private static String text() {
        try (InputStream in = PinnedRun.class.getResourceAsStream(TABLE)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static PinnedRun of(Map<String, String> row) {
        return new PinnedRun(
                row.get("name"),
                row.get("loss"),
                row.get("method"),
                Double.parseDouble(row.get("lambda")),
                Double.parseDouble(row.get("l1")),
                row.get("standardise"),
                row.get("bias").equals(FREE) ? 0 : Double.parseDouble(row.get("bias")),
                row.get("bias").equals(FREE),
                row.get("row-weights").equals("yes"),
                weights(row.get("class-weights")),
                Integer.parseInt(row.get("rows")),
                Integer.parseInt(row.get("features")),
                Double.parseDouble(row.get("density")),
                Integer.parseInt(row.get("classes")),
                Integer.parseInt(row.get("nodes")),
                row.get("topology"),
                Double.parseDouble(row.get("tau")),
                Double.parseDouble(row.get("gap")),
                Integer.parseInt(row.get("max-epochs")),
                Long.parseLong(row.get("seed")),
                row.get("digest"),
                row.get("reason"));
    }

    private static Map<Double, Double> weights(String text) {
        return text.equals("none")
                ? Map.of()
                : Arrays.stream(text.split(","))
                        .map(pair -> pair.split(":"))
                        .collect(Collectors.toMap(pair -> Double.valueOf(pair[0]), pair -> Double.valueOf(pair[1])));
    }

    /** How features are scaled; centred is what standardising does to dense rows. */
    public Scaling scaling() {
        return switch (standardise) {
            case "none" -> Scaling.NONE;
            case "scaled" -> Scaling.SCALE;
            case "centred" -> Scaling.STANDARDIZE;
            default -> throw new IllegalStateException("no such standardising: " + standardise);
        };
    }

    /** The rows of all nodes, of which row r is node r mod n's. */
    public Dataset data() {
        Generator generator =
                classes == 0 ? Generator.regression(rows, features) : Generator.classification(rows, features);
        Dataset data = generator.density(density).conditioning(20).seed(11).generate();
        if (classes > 0) {
            double[] labels = new double[rows];
            Arrays.setAll(labels, i -> classes > 2 && i % 3 == 0 ? 2 : data.label(i) > 0 ? 1 : 0);
            return weighted(data.withLabels(labels));
        }
        if (Losses.named(loss).domain() == LabelDomain.COUNTS) {
            double[] counts = new double[rows];
            Arrays.setAll(counts, i -> Math.min(9, Math.floor(2 * Math.abs(data.label(i)))));
            return weighted(data.withLabels(counts));
        }
        return weighted(data);
    }

    private Dataset weighted(Dataset data) {
        if (!rowWeights) {
            return data;
        }
        double[] weights = new double[rows];
        Arrays.setAll(weights, i -> 0.1 * (1 + i % 7));
        return data.withWeights(weights);
    }

    /** SHA-256, in hexadecimal, of each score's weights and intercept as little-endian doubles. */
    public static String digest(LinearModel model) {
        ByteBuffer bytes = ByteBuffer.allocate(model.scores() * (model.features() + 1) * Double.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN);
        for (int score = 0; score < model.scores(); score++) {
            for (double weight : model.weights(score)) {
                bytes.putDouble(weight);
            }
            bytes.putDouble(model.intercept(score));
        }
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes.array()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** What a test says of a model that has another digest. */
    public String expectation() {
        return name + ", whose digest is in " + TABLE + " with the reason \"" + reason
                + "\"; one that is to change needs a new reason";
    }

    @Override
    public String toString() {
        return name;
    }
}
