package dev.starling.recipe;

import dev.starling.data.InvalidInputException;
import dev.starling.data.Labels;
import dev.starling.table.CellParsing;
import java.util.HashSet;
import java.util.List;

/**
 * What a model predicts: the column of the labels and, if they are classes, how each class is written.
 *
 * <p>Internally, a class is a number: its own if all classes are numbers in ascending order, otherwise its index in the
 * list, from 0.
 *
 * @param column the name of the column
 * @param classes the classes in order; of two, the positive one is last; empty if labels are numbers to predict
 * @param missing whether rows without a label, a stratum or a cluster are dropped or rejected
 */
public record Target(String column, List<String> classes, Missing missing) {

    /** Copies the list. */
    public Target {
        classes = List.copyOf(classes);
        if (new HashSet<>(classes).size() < classes.size()) {
            throw new InvalidInputException(
                    "label column '" + column + "' has a class twice: " + String.join(", ", classes));
        }
        if (missing.isImputed()) {
            throw new InvalidInputException("label column '" + column + "': a label that is missing cannot be "
                    + missing.text() + "; refuse and drop are possible");
        }
    }

    /** A target whose labels are numbers. */
    public static Target number(String column) {
        return new Target(column, List.of(), Missing.REFUSE);
    }

    /** The label of a cell; NaN if it is neither one of the classes nor, without classes, a finite number. */
    public double label(String cell) {
        int index = classes.indexOf(cell);
        if (classes.isEmpty()) {
            return CellParsing.number(cell);
        }
        if (!areNumbers()) {
            return index < 0 ? Double.NaN : index;
        }
        double number = CellParsing.number(cell);
        return classes.stream().anyMatch(name -> CellParsing.number(name) == number) ? number : Double.NaN;
    }

    /** A label as it is written in the data. */
    public String spelling(double label) {
        for (int k = 0; k < classes.size(); k++) {
            if (label == (areNumbers() ? CellParsing.number(classes.get(k)) : k)) {
                return classes.get(k);
            }
        }
        return Labels.text(label);
    }

    private boolean areNumbers() {
        double last = Double.NEGATIVE_INFINITY;
        for (String name : classes) {
            double number = CellParsing.number(name);
            if (!(number > last)) {
                return false;
            }
            last = number;
        }
        return true;
    }
}
