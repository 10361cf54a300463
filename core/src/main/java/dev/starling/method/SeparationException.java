package dev.starling.method;

import dev.starling.data.InvalidInputException;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Thrown if some features separate two classes so well that, without regularisation, larger weights are always better:
 * there is no optimum.
 */
public final class SeparationException extends InvalidInputException {

    private static final long serialVersionUID = 1;

    private static final String REMEDY = ", or give lambda a positive value";

    private final List<Integer> features;

    /**
     * Creates an exception that names the separating features.
     *
     * @param features their indices, counted from 0
     */
    public SeparationException(List<Integer> features) {
        this(features, List.of());
    }

    private SeparationException(List<Integer> features, List<String> names) {
        super("there is no best model without regularisation: "
                + (features.isEmpty()
                        ? "the labels are all alike; give rows with other labels"
                        : "the classes are told apart, if only for some rows, by "
                                + features.stream().map(c -> name(c, names)).collect(Collectors.joining(", "))
                                + "; leave " + (features.size() == 1 ? "it" : "some of these") + " out")
                + REMEDY);
        this.features = List.copyOf(features);
    }

    private static String name(int feature, List<String> names) {
        return feature < names.size() ? names.get(feature) : "feature " + (feature + 1);
    }

    /** Returns a message for where there is no λ, with something else to do instead. */
    public String messageOr(String remedy) {
        return getMessage().replace(REMEDY, ", or " + remedy);
    }

    /** Returns the indices of the features, counted from 0. */
    public List<Integer> features() {
        return features;
    }

    /**
     * Returns a copy whose message uses the names of the features, as far as they have names.
     *
     * @param width how many features a class has, if features are counted through all classes
     */
    public SeparationException named(List<String> names, int width) {
        List<Integer> ofOne = features.stream().map(c -> c % width).distinct().toList();
        List<Integer> named = ofOne.stream().filter(c -> c < names.size()).toList();
        return new SeparationException(named.isEmpty() ? ofOne : named, names);
    }
}
