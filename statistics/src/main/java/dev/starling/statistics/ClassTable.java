package dev.starling.statistics;

import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.Labels;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.loss.Ordinal;
import dev.starling.loss.Softmax;
import dev.starling.model.LinearModel;
import dev.starling.model.StandardErrors;
import dev.starling.recipe.Recipe;
import dev.starling.settings.Setting;
import java.util.ArrayList;
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

    static final double GAP = 1e-9;

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
        return fitted(new Softmax(), data, labels, intercept, level);
    }

    /** Proportional odds of classes in an order: logit P(y ≤ c) = ζ_c − xᵀβ, as R's polr has it. */
    public static ClassTable ordinal(Dataset data, List<String> labels, double level) {
        return fitted(new Ordinal(), data, labels, true, level);
    }

    private static ClassTable fitted(Loss loss, Dataset data, List<String> labels, boolean intercept, double level) {
        LinearModel model = Trainer.of(loss)
                .lambda(0)
                .gap(GAP)
                .intercept(intercept)
                .with(Setting.STANDARD_ERRORS, StandardErrors.MODEL)
                .fit(data)
                .model();
        if (model.classes().size() != labels.size()) {
            throw new InvalidInputException("the rows have " + model.classes().size() + " of " + labels.size()
                    + " classes; each must have rows");
        }
        return of(model, labels, level);
    }

    /** The table of a model of several classes; its recipe says what they are called. */
    public static ClassTable of(LinearModel model, double level) {
        return of(model, labels(model), level);
    }

    /** The names of the classes of a model. */
    static List<String> labels(LinearModel model) {
        return model.classes().stream()
                .map(label -> Recipe.of(model)
                        .map(recipe -> recipe.target().spelling(label))
                        .orElse(Labels.text(label)))
                .toList();
    }

    private static ClassTable of(LinearModel model, List<String> labels, double level) {
        GlmTable table = GlmTable.of(model, level);
        int perClass = table.coefficients().size() / (labels.size() - 1);
        boolean ordered = Losses.named(model.loss()) instanceof Ordinal;
        List<String> classes = IntStream.range(
                        0, ordered ? 0 : table.coefficients().size())
                .mapToObj(k -> labels.get(1 + k / perClass))
                .toList();
        return new ClassTable(ordered ? table.with(named(table, labels)) : table, labels, classes);
    }

    /** The lines with the thresholds called by the names of the classes on both sides. */
    private static List<Coefficient> named(GlmTable table, List<String> labels) {
        List<Coefficient> lines = new ArrayList<>(table.coefficients());
        int first = lines.size() - labels.size() + 1;
        for (int c = 0; c < labels.size() - 1; c++) {
            lines.set(first + c, lines.get(first + c).named(labels.get(c) + "|" + labels.get(c + 1)));
        }
        return lines;
    }
}
