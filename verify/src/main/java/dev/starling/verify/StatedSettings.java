package dev.starling.verify;

import dev.starling.data.InvalidInputException;
import dev.starling.verify.digits.DoubleDoubles;
import java.util.Map;
import java.util.TreeMap;

/**
 * The settings that a model file states, as text by name: what is not a number, or one too large or small to compute
 * with, is refused.
 *
 * @param file what the settings come from, for messages
 * @param values the settings
 */
record StatedSettings(String file, Map<String, String> values) {

    static final String BALANCED = "balanced";

    boolean has(String key) {
        return values.containsKey(key);
    }

    String text(String key, String usual) {
        return values.getOrDefault(key, usual);
    }

    /** A number that is not negative and may be infinite. */
    double bound(String key, double usual) {
        double value = has(key) ? number(key, values.get(key)) : usual;
        return required(value >= 0, key, "a number of 0 or more", value);
    }

    /** A number of 0 or more that can be computed with; 0 if it is not stated. */
    double size(String key) {
        double value = has(key) ? number(key, values.get(key)) : 0;
        return required(value == 0 || isUsable(value), key, "0 or from 1e-60 to 1e45 to be checked", value) + 0.0;
    }

    /** A fraction below 1; 0 if it is not stated. */
    double fraction(String key) {
        double value = has(key) ? number(key, values.get(key)) : 0;
        return required(value >= 0 && value < 1, key, "a fraction of 0 or more and below 1", value);
    }

    boolean truth(String key) {
        String text = text(key, "false");
        require(text.equals("true") || text.equals("false"), key, "true or false", text);
        return text.equals("true");
    }

    /** Whether values were rounded to floats. */
    boolean rounds() {
        String text = text("precision", "exact");
        require(text.equals("exact") || text.equals("float"), "precision", "exact or float", text);
        return text.equals("float");
    }

    long whole(String key, long usual) {
        String text = text(key, Long.toString(usual));
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new InvalidInputException(message(key, "a whole number", text), e);
        }
    }

    /** Weights by label, such as 0=1,1=2.5; empty if there are none or they are balanced. */
    Map<Double, Double> classWeights() {
        String key = "class-weights";
        String text = text(key, "");
        Map<Double, Double> weights = new TreeMap<>();
        for (String entry : text.isBlank() || text.equals(BALANCED) ? new String[0] : text.split(",", -1)) {
            int equals = entry.indexOf('=');
            double label = number(key, entry.substring(0, Math.max(0, equals))) + 0.0;
            double weight = number(key, entry.substring(equals + 1));
            require(isUsable(weight), key, "weights from 1e-60 to 1e45 to be checked", entry);
            require(weights.put(label, weight) == null, key, "one weight for each label", text);
        }
        return weights;
    }

    private static boolean isUsable(double value) {
        return value >= DoubleDoubles.SMALLEST && value <= DoubleDoubles.LARGEST;
    }

    private double number(String key, String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new InvalidInputException(message(key, "a number", text), e);
        }
    }

    private double required(boolean holds, String key, String what, double found) {
        require(holds, key, what, found);
        return found;
    }

    private void require(boolean holds, String key, String what, Object found) {
        if (!holds) {
            throw new InvalidInputException(message(key, what, found));
        }
    }

    private String message(String key, String what, Object found) {
        return file + ": the setting " + key + " is '" + found + "' and must be " + what
                + "; take the file that training wrote";
    }
}
