package dev.starling.statistics;

import dev.starling.data.Dataset;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The table of a model of several classes.
 *
 * @param table the coefficients and the likelihood
 * @param labels the names of the classes: the first is the one that others are compared to, or they are in order
 * @param classes the class that each coefficient is about; empty if all are about the order
 */
public record ClassTable(GlmTable table, List<String> labels, List<String> classes) {

    /** Copies the lists. */
    public ClassTable {
        labels = List.copyOf(labels);
        classes = List.copyOf(classes);
    }

    /** The table with e to the estimates and to the ends of intervals. */
    public ClassTable exponentiated() {
        return new ClassTable(table.exponentiated(), labels, classes);
    }

    /**
     * Multinomial logistic regression: a block of coefficients for every class but the first.
     *
     * @param data the rows; the labels are numbers in the order of the classes
     * @param labels the names of the classes
     */
    public static ClassTable multinomial(Dataset data, List<String> labels, boolean intercept, double level) {
        ProvenNewton.requireLevel(level);
        ClassRows rows = ClassRows.of(data, labels, intercept);
        Multinomial likelihood = new Multinomial(rows);
        List<String> classes = IntStream.range(0, likelihood.parameters())
                .mapToObj(k -> labels.get(1 + k / rows.features()))
                .toList();
        return of("multinomial", rows, likelihood, labels, classes, level);
    }

    /** Proportional odds of classes in an order: logit P(y ≤ c) = ζ_c − xᵀβ, as R's polr has it. */
    public static ClassTable ordinal(Dataset data, List<String> labels, double level) {
        ProvenNewton.requireLevel(level);
        ClassRows rows = ClassRows.of(data, labels, false);
        return of("ordinal", rows, new ProportionalOdds(rows, labels), labels, List.of(), level);
    }

    private static ClassTable of(
            String family,
            ClassRows rows,
            ProvenNewton.Objective likelihood,
            List<String> labels,
            List<String> classes,
            double level) {
        ProvenNewton.Found found = ProvenNewton.minimum(likelihood);
        List<String> names = IntStream.range(0, likelihood.parameters())
                .mapToObj(likelihood::name)
                .toList();
        GlmTable table = found.table(
                family,
                "logit",
                rows.weighted(),
                rows.weighted(),
                found.lines(names, level),
                rows.nullDeviance(),
                level);
        return new ClassTable(table, labels, classes);
    }
}
