package dev.starling.cli.show;

import dev.starling.cli.console.Json;
import dev.starling.cli.console.TextTable;
import dev.starling.cli.show.CoefficientTable.Numbers;
import dev.starling.internal.JsonObject;
import dev.starling.model.LinearModel;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A model in the forms in which it is shown.
 *
 * @param name what to call it
 * @param all whether tables for people list coefficients that are 0
 */
record ModelView(String name, LinearModel model, boolean all) {

    /** How many features the picture of a path follows. */
    private static final int FOLLOWED = 12;

    /** Prints everything for people. */
    void print(PrintWriter out, boolean markdown) {
        Question question = new Question(model);
        String fact = markdown ? "- %s: %s%n" : "%-12s %s%n";
        out.printf("%s%s%n%n", markdown ? "## " : "", question.sentence());
        out.printf(fact, "model", name);
        question.facts().forEach((heading, text) -> out.printf(fact, heading, text));
        for (CoefficientTable table : CoefficientTable.of(model)) {
            out.println();
            table.ofClass().ifPresent(label -> out.printf("%sclass %s%n%n", markdown ? "### " : "", label));
            List<Integer> shown =
                    all ? IntStream.range(0, table.features().size()).boxed().toList() : table.nonZero();
            TextTable text = text(table, shown);
            if (markdown) {
                text.printMarkdown(out);
            } else {
                text.print(out);
            }
            int hidden = table.features().size() - shown.size();
            if (hidden > 0) {
                out.printf("%n%d of %d coefficients are 0; --all lists them%n", hidden, model.features());
            }
        }
        List<String> notes = notes();
        if (!notes.isEmpty()) {
            out.println();
        }
        notes.forEach(out::println);
    }

    /** The intercept has no say in how many decimals there are: it is often much larger than the others. */
    private static TextTable text(CoefficientTable table, List<Integer> shown) {
        List<List<String>> lines = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("feature"));
        table.columns().forEach(column -> head.add(column.heading()));
        lines.add(head);
        shown.forEach(line -> lines.add(new ArrayList<>(List.of(table.features().get(line)))));
        for (Numbers column : table.columns()) {
            double[] values =
                    shown.stream().mapToDouble(line -> column.values()[line]).toArray();
            boolean first = table.features().get(shown.get(0)).equals(CoefficientTable.INTERCEPT);
            int decimals = decimals(Arrays.copyOfRange(values, first ? 1 : 0, values.length));
            for (int k = 0; k < values.length; k++) {
                lines.get(k + 1).add(number(values[k], decimals));
            }
        }
        return new TextTable(lines);
    }

    /** The number of decimals with which the largest of some numbers has five digits. */
    private static int decimals(double[] values) {
        double largest = Arrays.stream(values)
                .filter(Double::isFinite)
                .map(Math::abs)
                .max()
                .orElse(0);
        return largest == 0 ? 0 : Math.max(0, 4 - (int) Math.floor(StrictMath.log10(largest)));
    }

    /** A number with this many decimals, or with an exponent if they leave it fewer than two digits. */
    private static String number(double value, int decimals) {
        if (Double.isNaN(value) || value == 0) {
            return value == 0 ? "0" : "";
        }
        boolean plain = decimals <= 8 && Math.abs(value) * StrictMath.pow(10, decimals) >= 10 && Math.abs(value) < 1e9;
        return String.format(Locale.US, plain ? "%." + decimals + "f" : "%.2e", value);
    }

    /** What the columns mean, and what is not known. */
    private List<String> notes() {
        Question question = new Question(model);
        List<String> notes = new ArrayList<>();
        notes.add(
                model.provenance().rows().deviations().isEmpty()
                        ? "Per standard deviation: not known, because the model does not hold the features' deviations;"
                                + " training with a free intercept or --standardize stores them."
                        : "Per deviation: the coefficient times the standard deviation of the feature in training.");
        CoefficientTable.ratio(model)
                .ifPresent(ratio -> notes.add(capital(ratio) + " ratio: what one unit more"
                        + " of the feature multiplies the " + (ratio.equals("rate") ? "mean" : ratio)
                        + " by, all else equal."));
        if (question.isJoint()) {
            notes.add("The difference of a feature's coefficients for two classes is a logarithm of odds between them;"
                    + " one alone says little.");
        }
        List<String> dates = question.dates();
        if (!dates.isEmpty()) {
            notes.add("Dates count days since 1970: " + String.join(", ", dates) + ".");
        }
        return notes;
    }

    private static String capital(String word) {
        return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
    }

    /** Prints all coefficients with all digits; a column names the class if there are several. */
    void printCsv(PrintWriter out) {
        boolean head = true;
        for (CoefficientTable table : CoefficientTable.of(model)) {
            String first = table.ofClass().isPresent() ? "class,feature" : "feature";
            if (head) {
                out.println(first
                        + table.columns().stream()
                                .map(column -> "," + column.key())
                                .collect(Collectors.joining()));
            }
            head = false;
            for (int line = 0; line < table.features().size(); line++) {
                StringBuilder text = new StringBuilder();
                table.ofClass()
                        .ifPresent(label -> text.append(TextTable.quoted(label)).append(','));
                text.append(TextTable.quoted(table.features().get(line)));
                for (Numbers column : table.columns()) {
                    double value = column.values()[line];
                    text.append(',').append(Double.isNaN(value) ? "" : Json.text(value));
                }
                out.println(text);
            }
        }
    }

    /** Writes everything as members of an object. */
    void write(JsonObject json) {
        json.with("model", name);
        json.with("modelHash", model.hash());
        new Question(model).write(json);
        CoefficientTable.write(json, model);
    }

    /** Writes what the page needs besides: explanations, and the largest coefficients along a path. */
    void writePage(JsonObject json) {
        write(json);
        json.with("notes", notes());
        if (model.path().size() > 1) {
            writePath(json);
        }
    }

    private void writePath(JsonObject json) {
        Map<String, double[]> followed = new LinkedHashMap<>();
        List<String> names = List.copyOf(model.coefficients(0).keySet());
        List<Double> deviations = model.provenance().rows().deviations();
        double[] most = new double[names.size()];
        for (int c = 0; c < most.length; c++) {
            double unit = deviations.isEmpty() ? 1 : deviations.get(c);
            double[] along = new double[model.path().size()];
            for (int k = 0; k < along.length; k++) {
                along[k] = unit * model.path().get(k).weight(0, c);
                most[c] = Math.max(most[c], Math.abs(along[k]));
            }
            followed.put(names.get(c), along);
        }
        json.object(
                "path",
                path -> path.with(
                                "strengths",
                                model.path().stream()
                                        .map(one -> new Question(one).strength())
                                        .toList())
                        .object(
                                "features",
                                features -> IntStream.range(0, most.length)
                                        .boxed()
                                        .sorted((one, other) -> Double.compare(most[other], most[one]))
                                        .limit(FOLLOWED)
                                        .forEach(c -> features.with(names.get(c), followed.get(names.get(c))))));
    }
}
