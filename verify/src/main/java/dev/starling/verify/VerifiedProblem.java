package dev.starling.verify;

import dev.starling.data.Dataset;
import dev.starling.model.LinearModel;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Which problem a model was checked against: the one that its file states, so that a reader can tell whether it is the
 * one that they have in mind.
 *
 * @param loss the loss with its parameter
 * @param lambda λ in mean loss + (λ/2)‖θ‖² + λ₁‖θ‖₁
 * @param l1 λ₁
 * @param intercept {@code none}, {@code free} or, if it is regularised, {@code bias} with the value of its feature
 * @param scaling {@code none}, {@code scale} or {@code standardize}
 * @param rounded whether values were rounded to floats
 * @param classWeights weights by label as the file states them; empty if there are none
 * @param rowsGiven how many rows there were
 * @param rows how many of them the model was trained on; the others were held out
 * @param weighted whether rows have weights
 * @param features the number of features
 * @param leftOut the features that were left out because they depend on others, by name or number from 1
 */
public record VerifiedProblem(
        String loss,
        double lambda,
        double l1,
        String intercept,
        String scaling,
        boolean rounded,
        String classWeights,
        int rowsGiven,
        int rows,
        boolean weighted,
        int features,
        List<String> leftOut) {

    /** Copies the list. */
    public VerifiedProblem {
        leftOut = List.copyOf(leftOut);
    }

    static VerifiedProblem of(LinearModel model, Claim claim, Dataset given, int used) {
        return new VerifiedProblem(
                claim.loss(),
                claim.lambda(),
                claim.l1(),
                claim.intercept() ? "free" : claim.bias() > 0 ? "bias " + Verdict.text(claim.bias()) : "none",
                claim.scaling(),
                claim.rounded(),
                claim.balanced() ? StatedSettings.BALANCED : text(model, claim),
                given.rows(),
                used,
                IntStream.range(0, given.rows()).anyMatch(row -> given.weight(row) != 1),
                model.features(),
                claim.aliased().stream()
                        .map(c -> c < model.names().size() ? model.names().get(c) : Integer.toString(c + 1))
                        .toList());
    }

    private static String text(LinearModel model, Claim claim) {
        return claim.classWeights().entrySet().stream()
                .map(one -> model.spelling(one.getKey()) + "=" + Verdict.text(one.getValue()))
                .collect(Collectors.joining(","));
    }

    /** The problem in a line, such as "logistic loss, lambda 1.0E-4, l1 0, no intercept; all 200 rows, 4 features". */
    @Override
    public String toString() {
        List<String> asked = new ArrayList<>(List.of(loss + " loss", "lambda " + lambda, "l1 " + l1));
        asked.add(intercept.equals("none") ? "no intercept" : intercept.equals("free") ? "free intercept" : intercept);
        if (!scaling.equals("none")) {
            asked.add("scaling " + scaling);
        }
        if (rounded) {
            asked.add("values rounded to floats");
        }
        if (!classWeights.isEmpty()) {
            asked.add("class weights " + classWeights);
        }
        List<String> data = new ArrayList<>();
        data.add(
                rows == rowsGiven
                        ? rows == 1 ? "the only row" : "all " + rows + " rows"
                        : rows + " of " + rowsGiven + " rows (" + (rowsGiven - rows) + " held out)");
        data.add(weighted ? "with weights" : "without weights");
        data.add(features
                + (features == 1 ? " feature" : " features")
                + (leftOut.isEmpty() ? "" : " of which left out: " + String.join(", ", leftOut)));
        return String.join(", ", asked) + "; " + String.join(", ", data);
    }
}
