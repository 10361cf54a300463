package dev.starling.job;

import dev.starling.data.InvalidInputException;
import dev.starling.data.Labels;
import dev.starling.settings.Settings;
import java.util.Arrays;
import java.util.List;

/** The classes that all nodes agree on: those that the settings list or, if they list none, those of the rows. */
final class AgreedLabels {

    private AgreedLabels() {}

    /**
     * Determines the classes.
     *
     * @throws InvalidInputException if there are too few, or if the settings mention others
     */
    static Labels of(Settings settings, JobRules rules, RowSummary summary) {
        Labels labels = labels(settings, rules, summary);
        settings.classWeights().requireAmong(labels);
        requireRowsOfClasses(settings, labels, summary);
        return labels;
    }

    /**
     * If the settings list classes, refuses rows of a node with other labels.
     *
     * @param told whether other owners are told the reason, which then must not have a label of a row in it
     */
    static void requireListed(Settings settings, RowSummary own, boolean told) {
        for (double label : settings.labels().isEmpty() ? new double[0] : own.labels()) {
            if (!settings.labels().contains(label)) {
                throw new InvalidInputException((told ? "a label" : "label " + label) + " is not one of the classes "
                        + settings.labels() + (told ? "; 'starling peer --check' there says which" : ""));
            }
        }
    }

    private static Labels labels(Settings settings, JobRules rules, RowSummary summary) {
        if (!settings.loss().isClassification()) {
            return Labels.regression();
        }
        boolean listed = !settings.labels().isEmpty();
        double[] known = listed
                ? settings.labels().stream().mapToDouble(Double::doubleValue).toArray()
                : summary.labels();
        if (known.length < 2) {
            throw new InvalidInputException("only one class, label " + Labels.text(known[0]) + ", in " + summary.rows()
                    + (summary.rows() == 1 ? " row" : " rows") + "; two are needed");
        }
        return Labels.of(listed ? known : summary.classes(rules.labels()));
    }

    /** If a class had no rows, a free intercept (one that is not regularised) would run off to infinity. */
    private static void requireRowsOfClasses(Settings settings, Labels labels, RowSummary summary) {
        for (double label : settings.intercept() ? labels.classes() : List.<Double>of()) {
            if (Arrays.stream(summary.labels()).noneMatch(found -> found == label)) {
                throw new InvalidInputException("no row has label " + Labels.text(label)
                        + ", so there is no best intercept for it; leave the class out, or give a bias instead");
            }
        }
    }
}
