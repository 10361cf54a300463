package dev.starling.model;

import dev.starling.data.InvalidInputException;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.StringTokenizer;

/**
 * LIBLINEAR's text format for models: a header, then one line per feature with a weight for each score.
 *
 * <pre>
 * solver_type L2R_LR
 * nr_class 2
 * label 1 -1
 * nr_feature 2
 * bias -1
 * w
 * 0.25
 * -1.5
 * </pre>
 *
 * <p>With two classes, a positive score means the first label. An intercept is written as the weight of an extra last
 * feature that is 1 in every row ({@code bias 1}). The format names one of LIBLINEAR's solvers instead of a loss:
 * losses that LIBLINEAR has keep their meaning; others are written as the L2-loss solver for classification or
 * regression, which makes the same predictions.
 */
final class LiblinearFormat implements ModelFormat {

    /** The first word of every such file. */
    private static final String FIRST_WORD = "solver_type";

    private static final Map<String, String> LOSS_OF_SOLVER = Map.ofEntries(
            Map.entry("L2R_LR", "logistic"),
            Map.entry("L2R_LR_DUAL", "logistic"),
            Map.entry("L1R_LR", "logistic"),
            Map.entry("L2R_L2LOSS_SVC", "squared-hinge"),
            Map.entry("L2R_L2LOSS_SVC_DUAL", "squared-hinge"),
            Map.entry("L1R_L2LOSS_SVC", "squared-hinge"),
            Map.entry("L2R_L1LOSS_SVC_DUAL", "hinge"),
            Map.entry("MCSVM_CS", "hinge"),
            Map.entry("L2R_L2LOSS_SVR", "squared-epsilon-insensitive"),
            Map.entry("L2R_L2LOSS_SVR_DUAL", "squared-epsilon-insensitive"),
            Map.entry("L2R_L1LOSS_SVR_DUAL", "epsilon-insensitive"));

    @Override
    public String name() {
        return "liblinear";
    }

    @Override
    public List<String> extensions() {
        return List.of(".model", ".txt");
    }

    @Override
    public boolean isStartOf(String start) {
        return start.startsWith(FIRST_WORD);
    }

    /** @throws InvalidInputException if a label is not a whole number, which LIBLINEAR cannot express */
    @Override
    public void write(LinearModel model, OutputStream out) throws IOException {
        Writer text = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.US_ASCII));
        text.write("solver_type " + solver(model) + "\nnr_class "
                + Math.max(2, model.classes().size()) + "\n");
        if (model.isClassifier()) {
            text.write("label" + labels(model) + "\n");
        }
        boolean intercept = model.hasIntercept();
        text.write("nr_feature " + model.features() + "\nbias " + (intercept ? "1" : "-1") + "\nw\n");
        for (int j = 0; j < model.features(); j++) {
            for (int k = 0; k < model.scores(); k++) {
                text.write(model.weight(k, j) + " ");
            }
            text.write("\n");
        }
        if (intercept) {
            for (int k = 0; k < model.scores(); k++) {
                text.write(model.intercept(k) + " ");
            }
            text.write("\n");
        }
        text.flush();
    }

    private static String solver(LinearModel model) {
        String loss = model.loss().split("\\(", 2)[0];
        return switch (loss) {
            case "logistic" -> "L2R_LR";
            case "softmax", "ordinal", "cox" ->
                throw new InvalidInputException(
                        "LIBLINEAR's format has no " + loss + ", so predictions would be wrong; use the JSON format"
                                + (loss.equals("softmax") ? ", or train with one-versus-rest" : ""));
            case "hinge" -> "L2R_L1LOSS_SVC_DUAL";
            case "epsilon-insensitive", "absolute" -> "L2R_L1LOSS_SVR_DUAL";
            default -> model.isClassifier() ? "L2R_L2LOSS_SVC" : "L2R_L2LOSS_SVR";
        };
    }

    private static String labels(LinearModel model) {
        StringBuilder text = new StringBuilder();
        List<Double> classes = new ArrayList<>(model.classes());
        if (classes.size() == 2) {
            Collections.reverse(classes);
        }
        for (double label : classes) {
            if (label != (int) label) {
                throw new InvalidInputException(
                        "label " + label
                                + " cannot be written in LIBLINEAR's format, which has whole numbers only; use the JSON format");
            }
            text.append(' ').append((int) label);
        }
        return text.toString();
    }

    @Override
    public LinearModel read(InputStream in, String name) throws IOException {
        return new Reading(new BufferedReader(new InputStreamReader(in, StandardCharsets.ISO_8859_1)), name).model();
    }

    /** The state of reading one file. */
    private static final class Reading {
        private final BufferedReader lines;
        private final String name;
        private int number;
        private String solver = "";
        private int classCount = 2;
        private int[] labels = new int[0];
        private int features = -1;
        private double bias = -1;

        Reading(BufferedReader lines, String name) {
            this.lines = lines;
            this.name = name;
        }

        LinearModel model() throws IOException {
            header();
            boolean classifier = labels.length > 0;
            boolean bothSides = classCount == 2 && solver.equals("MCSVM_CS");
            int columns = classCount > 2 || bothSides ? classCount : 1;
            double[][] weights = new double[columns][features];
            double[] intercepts = new double[columns];
            for (int j = 0; j < features; j++) {
                double[] row = row(columns, j);
                for (int k = 0; k < columns; k++) {
                    weights[k][j] = row[k];
                }
            }
            if (bias >= 0) {
                double[] row = row(columns, features);
                Arrays.setAll(intercepts, k -> bias * row[k]);
            }
            if (bothSides) {
                Arrays.setAll(weights[0], j -> weights[0][j] - weights[1][j]);
                return build(classifier, new double[][] {weights[0]}, new double[] {intercepts[0] - intercepts[1]});
            }
            return build(classifier, weights, intercepts);
        }

        private LinearModel build(boolean classifier, double[][] weights, double[] intercepts) {
            List<Double> classes = new ArrayList<>();
            for (int label : classifier ? labels : new int[0]) {
                classes.add((double) label);
            }
            if (classes.size() == 2) {
                Collections.reverse(classes);
            }
            return new LinearModel(LOSS_OF_SOLVER.get(solver), classes, weights, intercepts, Provenance.UNKNOWN);
        }

        private void header() throws IOException {
            for (String line = next(); !line.equals("w"); line = next()) {
                String[] words = line.split("\\s+");
                if (words.length < 2) {
                    throw error("'" + shortened(line) + "' must be a word and its value, such as 'nr_class 2'");
                }
                switch (words[0]) {
                    case FIRST_WORD -> solver = solver(words[1]);
                    case "nr_class" -> classCount = integer(words[1], "nr_class", 2);
                    case "nr_feature" -> features = integer(words[1], "nr_feature", 1);
                    case "bias" -> bias = number(words[1]);
                    case "label" -> labels = labels(words);
                    case "rho" -> throw error("one-class models have no labels to predict");
                    default ->
                        throw error("unknown word '" + shortened(words[0]) + "' in the header of a LIBLINEAR model");
                }
            }
            require(!solver.isEmpty(), "the header has no solver_type");
            require(features > 0, "the header has no nr_feature");
            boolean regression = solver.contains("SVR");
            require(
                    labels.length == (regression ? 0 : classCount),
                    labels.length + " labels for nr_class " + classCount + "; there must be "
                            + (regression ? "none in regression" : "as many"));
        }

        private String solver(String given) {
            if (!LOSS_OF_SOLVER.containsKey(given)) {
                throw error("solver_type '" + shortened(given) + "' is not one that Starling can predict with");
            }
            return given;
        }

        private int[] labels(String[] words) {
            int[] result = new int[words.length - 1];
            for (int k = 0; k < result.length; k++) {
                result[k] = integer(words[k + 1], "label", Integer.MIN_VALUE);
            }
            return result;
        }

        private double[] row(int columns, int index) throws IOException {
            String line = lines.readLine();
            number++;
            if (line == null) {
                throw new InvalidInputException(name + " ends after " + index + " of "
                        + (features + (bias >= 0 ? 1 : 0)) + " lines of weights; the file is truncated");
            }
            StringTokenizer words = new StringTokenizer(line);
            if (words.countTokens() != columns) {
                throw error(words.countTokens() + " weights; there must be " + columns + " on every line");
            }
            double[] row = new double[columns];
            for (int k = 0; k < columns; k++) {
                row[k] = number(words.nextToken());
            }
            return row;
        }

        private String next() throws IOException {
            String line = lines.readLine();
            number++;
            if (line == null) {
                throw new InvalidInputException(name + " ends within the header of a LIBLINEAR model; it is truncated");
            }
            return line.strip();
        }

        private int integer(String word, String what, int least) {
            try {
                int value = Integer.parseInt(word);
                require(value >= least, what + " " + value + " must be at least " + least);
                return value;
            } catch (NumberFormatException e) {
                throw new InvalidInputException(
                        error(what + " '" + shortened(word) + "' must be a whole number")
                                .getMessage(),
                        e);
            }
        }

        private double number(String word) {
            double value;
            try {
                value = Double.parseDouble(word);
            } catch (NumberFormatException e) {
                value = Double.NaN;
            }
            require(Double.isFinite(value), "'" + shortened(word) + "' must be a finite number");
            return value;
        }

        private void require(boolean holds, String problem) {
            if (!holds) {
                throw error(problem);
            }
        }

        private InvalidInputException error(String problem) {
            return new InvalidInputException(name + ", line " + number + ": " + problem);
        }

        private static String shortened(String text) {
            return text.length() <= 40 ? text : text.substring(0, 40) + "…";
        }
    }
}
