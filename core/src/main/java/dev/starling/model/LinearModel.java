package dev.starling.model;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.Labels;
import dev.starling.loss.Link;
import dev.starling.loss.Losses;
import dev.starling.model.inference.Inference;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A linear model: a weight per feature and an intercept for each of its scores. Immutable.
 *
 * <p>A regression model has one score, which its link makes the prediction. A model of two classes has one score,
 * positive for the second class. A model of more classes has one score per class and predicts the class with the
 * largest.
 *
 * <pre>{@code
 * LinearModel model = LinearModel.load(Path.of("model.json"));
 * double label = model.predict(new double[] {5.1, 3.5, 1.4});
 * double[] ofClasses = model.probabilities(new double[] {5.1, 3.5, 1.4});
 * }</pre>
 *
 * <p>This class is longer than most, because everything that is asked of a model is asked of it, for rows in four
 * forms.
 */
public final class LinearModel {

    private final String loss;
    private final Link link;

    /** Whether scores fall as what an offset stands for rises. */
    private final boolean falling;

    private final List<Double> classes;
    private final List<String> names;
    private final double[][] weights;
    private final double[] intercepts;
    private final Known known;

    /** What is known about a model besides what it predicts with. */
    private record Known(
            Provenance provenance,
            Optional<TableEncoding> recipe,
            List<LinearModel> path,
            Optional<Inference> inference) {}

    /** Creates a model whose features have no names. */
    public LinearModel(
            String loss, List<Double> classes, double[][] weights, double[] intercepts, Provenance provenance) {
        this(loss, classes, List.of(), weights, intercepts, provenance);
    }

    /**
     * Creates a model from its parts.
     *
     * @param loss the name of the loss it was trained with
     * @param classes the labels it predicts, as the user gave them: none for regression, two in the order (negative,
     *     positive), or one per score
     * @param names the names of the features, starting with the first; there may be fewer names than features
     * @param weights one weight vector per score
     * @param intercepts one intercept per score
     * @param provenance how it was made
     */
    public LinearModel(
            String loss,
            List<Double> classes,
            List<String> names,
            double[][] weights,
            double[] intercepts,
            Provenance provenance) {
        this(
                loss,
                classes,
                names,
                Arrays.stream(weights).map(double[]::clone).toArray(double[][]::new),
                intercepts.clone(),
                new Known(Objects.requireNonNull(provenance), Optional.empty(), List.of(), Optional.empty()));
    }

    private LinearModel(
            String loss,
            List<Double> classes,
            List<String> names,
            double[][] weights,
            double[] intercepts,
            Known known) {
        this.known = known;
        this.loss = Objects.requireNonNull(loss);
        this.link = Losses.link(loss);
        this.falling = link.equals(Link.CUMULATIVE);
        this.classes = List.copyOf(classes);
        this.names = List.copyOf(names);
        this.weights = weights;
        this.intercepts = intercepts;
        int scores = link.scores(this.classes.size());
        if (this.classes.size() == 1) {
            throw new InvalidInputException("a model of one class, " + this.classes.get(0)
                    + "; there must be two or more, or none if it predicts numbers");
        }
        if (weights.length != scores || intercepts.length != scores) {
            throw new InvalidInputException("a model of " + classes.size() + " classes with " + weights.length
                    + " weight vectors and " + intercepts.length + " intercepts; it needs " + scores + " of each");
        }
        for (double[] vector : weights) {
            if (vector.length != weights[0].length) {
                throw new InvalidInputException("weight vectors of " + weights[0].length + " and " + vector.length
                        + " features; all must have the same number");
            }
        }
        if (!recipe().map(made -> made.features().equals(names)).orElse(true)) {
            throw new InvalidInputException(
                    "a recipe that makes " + recipe().orElseThrow().features().size() + " features for a model with "
                            + names.size() + " named ones; it must make exactly the model's features, in order");
        }
        if (names.size() > features()) {
            throw new InvalidInputException(
                    names.size() + " names for " + features() + " features; there must be at most one for each");
        }
    }

    /**
     * Reads a model file of any format, compressed or not.
     *
     * @throws InvalidInputException if it is missing or not a model
     */
    public static LinearModel load(Path file) {
        return ModelFiles.read(file);
    }

    /** Whether a file looks like a model, by its first characters. */
    public static boolean isModel(Path file) {
        return ModelFiles.isModel(file);
    }

    /**
     * Writes the model in the format that the file's name suggests: LIBLINEAR's for {@code .model} and {@code .txt},
     * otherwise Starling's own; compressed if the name ends in {@code .gz}. The write is atomic: a partial file is
     * never visible.
     *
     * @throws InvalidInputException if it cannot be written
     */
    public void save(Path file) {
        save(file, ModelFormat.of(file));
    }

    /** Writes the model in a given format, whatever the file is called. */
    public void save(Path file, ModelFormat format) {
        ModelFiles.write(this, file, format);
    }

    /** Returns a copy with signatures. */
    public LinearModel with(Signatures signatures) {
        return with(provenance().with(signatures));
    }

    /** Returns a copy with the fingerprint of the data. */
    public LinearModel withFingerprint(String digits) {
        return with(path().stream().map(one -> one.withFingerprint(digits)).toList())
                .with(provenance().withFingerprint(digits));
    }

    /**
     * Returns a copy with the result of an evaluation.
     *
     * @param by which rows it was evaluated on, such as {@link EvaluationRecord#HOLDOUT}
     */
    public LinearModel with(String by, EvaluationRecord evaluated) {
        return with(provenance().with(by, evaluated));
    }

    private LinearModel with(Provenance made) {
        return with(new Known(made, known.recipe, known.path, known.inference));
    }

    private LinearModel with(Known other) {
        return new LinearModel(loss, classes, names, weights, intercepts, other);
    }

    /**
     * Returns a copy with the recipe that encodes its rows.
     *
     * @throws InvalidInputException if the features that the recipe makes are not those of the model, or if it removes
     *     the intercept that the model has
     */
    public LinearModel with(TableEncoding made) {
        if (!made.intercept() && hasIntercept()) {
            throw new InvalidInputException("the model has an intercept, which the formula of its recipe removes; train"
                    + " it without one, as the recipe says, or take the formula without - 1");
        }
        return with(new Known(known.provenance, Optional.of(made), known.path, known.inference));
    }

    /**
     * Returns a copy with the models of a path.
     *
     * @param models the models for all values of λ, including this one; the provenance of each says which λ it is for
     */
    public LinearModel with(List<LinearModel> models) {
        return with(new Known(known.provenance, known.recipe, List.copyOf(models), known.inference));
    }

    /** Returns a copy with what its standard errors, tests and intervals follow from. */
    public LinearModel with(Inference sums) {
        if (sums.coefficients() != tabled(sums.intercept()).length) {
            throw new InvalidInputException("standard errors of " + sums.coefficients()
                    + " coefficients for a model of " + scores() + " scores of " + features() + " features"
                    + (sums.intercept() ? " and an intercept" : ""));
        }
        return with(new Known(known.provenance, known.recipe, known.path, Optional.of(sums.copy())));
    }

    /**
     * All coefficients in the order of the {@link #inference}: the weights of each score, followed by its intercept if
     * there is one, unless the loss says otherwise.
     */
    public double[] tabled(boolean intercept) {
        return Losses.named(loss).forClasses(Math.max(2, classes.size())).coefficients(weights, intercepts, intercept);
    }

    /** A copy of what its standard errors, tests and intervals follow from; empty unless it was trained with these. */
    public Optional<Inference> inference() {
        return known.inference.map(Inference::copy);
    }

    /**
     * The models of the path of λ that this one belongs to, itself included; empty if it was trained for a single λ.
     */
    public List<LinearModel> path() {
        return known.path;
    }

    /**
     * The model of the path for a value of λ, which may be given to a few digits only.
     *
     * @param l1 λ₁, needed if the path has several for the same λ, as a lasso has for λ = 0
     * @throws InvalidInputException if there is no such model in the path, or more than one; the message lists those
     *     there are
     */
    public LinearModel at(double lambda, OptionalDouble l1) {
        LinearModel found = ModelPath.at(path(), lambda, l1);
        return recipe().map(found::with).orElse(found);
    }

    /** The name of the loss the model was trained with. */
    public String loss() {
        return loss;
    }

    /** The labels it predicts; empty for regression. */
    public List<Double> classes() {
        return classes;
    }

    /** The names of the features, starting with the first; empty if they have none. */
    public List<String> names() {
        return names;
    }

    /** How its rows are encoded from a table; empty if they were numbers to begin with. */
    public Optional<TableEncoding> recipe() {
        return known.recipe;
    }

    /** A label as it was written in the data. */
    public String spelling(double label) {
        return recipe().map(made -> made.spelling(label)).orElseGet(() -> Labels.text(label));
    }

    /** Whether it predicts a class rather than a number. */
    public boolean isClassifier() {
        return !classes.isEmpty();
    }

    /** The number of scores: one, or one per class if there are more than two. */
    public int scores() {
        return weights.length;
    }

    /** The number of features. */
    public int features() {
        return weights[0].length;
    }

    /** A copy of the weights of a score. */
    public double[] weights(int score) {
        return weights[score].clone();
    }

    /** The weight of a feature in a score. */
    public double weight(int score, int feature) {
        return weights[score][feature];
    }

    /**
     * The weights by the names of their features, in order; a feature without a name is called {@code feature 7}, and a
     * name that occurs again gets its number, {@code age (7)}, both counted from 1.
     *
     * @throws InvalidInputException if the model has more than two classes, and so several scores
     */
    public Map<String, Double> coefficients() {
        if (scores() > 1) {
            throw new InvalidInputException("a model of " + scores()
                    + " classes has coefficients for each of them; use coefficients(score) with a score from 0 to "
                    + (scores() - 1));
        }
        return coefficients(0);
    }

    /** The weights of a score by the names of their features, as {@link #coefficients()} names them. */
    public Map<String, Double> coefficients(int score) {
        Map<String, Double> result = new LinkedHashMap<>();
        for (int j = 0; j < features(); j++) {
            String name = j < names.size() ? names.get(j) : "feature " + (j + 1);
            result.put(result.containsKey(name) ? name + " (" + (j + 1) + ")" : name, weights[score][j]);
        }
        return Collections.unmodifiableMap(result);
    }

    /** The intercept of a score; 0 if the model has none. */
    public double intercept(int score) {
        return intercepts[score];
    }

    /** The number of weights that are not 0, over all scores. */
    public int nonZeros() {
        int count = 0;
        for (double[] vector : weights) {
            for (double weight : vector) {
                count += weight != 0 ? 1 : 0;
            }
        }
        return count;
    }

    /** Whether any score has an intercept. */
    public boolean hasIntercept() {
        for (double intercept : intercepts) {
            if (intercept != 0) {
                return true;
            }
        }
        return false;
    }

    /** How the model was made. */
    public Provenance provenance() {
        return known.provenance;
    }

    /** How scores become predictions: that of the loss, or the identity if the loss is not one of Starling's. */
    public Link link() {
        return link;
    }

    /** Whether it gives probabilities: a classifier trained with the loss logistic or softmax. */
    public boolean hasProbabilities() {
        return isClassifier() && link.givesProbabilities();
    }

    /** One score of a row. */
    public double score(Dataset data, int row, int score) {
        return data.dot(row, weights[score]) + intercepts[score] + (falling ? -data.offset(row) : data.offset(row));
    }

    /** All scores of a row. */
    public double[] scores(Dataset data, int row) {
        double[] result = new double[scores()];
        Arrays.setAll(result, k -> score(data, row, k));
        return result;
    }

    /** All scores of a row, given as one value per feature. */
    public double[] scores(double[] row) {
        return Scoring.of(row, weights, intercepts);
    }

    /**
     * All scores of a row, given as the values that are not zero.
     *
     * @param columns the feature of each value, from 0
     */
    public double[] scores(int[] columns, double[] values) {
        return Scoring.of(columns, values, weights, intercepts);
    }

    /**
     * The labels predicted for all rows: classes as the user named them, or numbers.
     *
     * @throws InvalidInputException if the rows have more features than the model
     */
    public double[] predict(Dataset data) {
        Dataset rows = fitted(data, "the data");
        double[] labels = new double[rows.rows()];
        rows.overRows((from, to) -> {
            double[] scores = new double[scores()];
            for (int i = from; i < to; i++) {
                for (int k = 0; k < scores.length; k++) {
                    scores[k] = score(rows, i, k);
                }
                labels[i] = label(scores);
            }
        });
        return labels;
    }

    /**
     * The label predicted for a row, given by the names of its columns: those of the table if the model has a
     * {@linkplain #recipe recipe}, which also says what a {@code null} means, otherwise those of its features.
     *
     * @throws InvalidInputException if a column is missing, or holds what the model does not know
     */
    public double predict(Map<String, ?> row) {
        return recipe().isPresent()
                ? predict(recipe().get().row(row), 0)
                : predict(NamedRow.values(names, features(), row));
    }

    /** The label predicted for a row: a class as the user named it, or a number. */
    public double predict(Dataset data, int row) {
        return label(scores(data, row));
    }

    /** The label predicted for a row, given as one value per feature. */
    public double predict(double[] row) {
        return label(scores(row));
    }

    /** The label predicted for a row, given as the values that are not zero and their columns, from 0. */
    public double predict(int[] columns, double[] values) {
        return label(scores(columns, values));
    }

    private double label(double[] scores) {
        return isClassifier() ? classes.get(Scoring.winner(link, scores)) : link.mean(scores[0]);
    }

    /**
     * The probability of each class for a row, in the order of {@link #classes}; with more than two classes, that of
     * softmax if it is the loss, otherwise the normalised probabilities of each class against the rest.
     *
     * @throws InvalidInputException if the model {@linkplain #hasProbabilities has none}
     */
    public double[] probabilities(Dataset data, int row) {
        return probabilitiesOf(scores(data, row));
    }

    /** The probability of each class for a row, given as one value per feature. */
    public double[] probabilities(double[] row) {
        return probabilitiesOf(scores(row));
    }

    /** The probability of each class for a row, given as the values that are not zero and their columns, from 0. */
    public double[] probabilities(int[] columns, double[] values) {
        return probabilitiesOf(scores(columns, values));
    }

    /** The probability of each class, from the scores of a row. */
    public double[] probabilitiesOf(double... scores) {
        if (!hasProbabilities()) {
            throw new InvalidInputException("a model trained with the " + loss
                    + " loss gives no probabilities; train with the logistic loss for them");
        }
        return Scoring.probabilities(link, scores);
    }

    /**
     * Returns the data widened to as many features as the model has.
     *
     * @param name the name of the data, for error messages
     * @throws InvalidInputException if the data has more features than the model
     */
    public Dataset fitted(Dataset data, String name) {
        if (data.features() > features()) {
            throw new InvalidInputException(name + " has " + data.features() + " features, the model " + features()
                    + "; use data with at most that many");
        }
        return data.withFeatures(features());
    }

    /**
     * The SHA-256 of the model, in hexadecimal: loss, classes, names, weights, intercepts, those of its path, and the
     * recipe, as specified in docs/model-format.md. The provenance is not part of it, so that equal models have equal
     * hashes.
     */
    public String hash() {
        return ModelHash.of(this);
    }

    /**
     * The SHA-256 of only the model's numbers, in hexadecimal: score by score, the weights and then the intercept, as
     * little-endian IEEE doubles.
     */
    public String weightsHash() {
        return ModelHash.ofWeights(this);
    }

    /** A one-line summary of the model and of what is proven about it. */
    @Override
    public String toString() {
        double gap = provenance().certificate().relativeGap();
        String proof = Double.isInfinite(gap)
                ? "no certificate"
                : String.format(Locale.US, "gap %.2g%s", gap, provenance().certified() ? " as asked for" : "");
        String kind = isClassifier() ? "classes " + classes : "regression";
        return "LinearModel[" + loss + ", " + kind + ", " + features() + " features, " + proof + "]";
    }
}
