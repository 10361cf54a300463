/**
 * How good a model is on rows with labels. {@link dev.starling.evaluation.Evaluation} judges rows that are all at hand;
 * a {@link dev.starling.evaluation.Tally} holds sums and counts only, so that places which keep their rows to
 * themselves can be judged together by adding theirs up.
 *
 * <pre>{@code
 * LinearModel model = LinearModel.load(Path.of("model.json"));
 * Measures measures = Evaluation.of(model, rows);
 * measures.values().forEach((name, value) -> System.out.println(name + " " + value));
 * }</pre>
 */
package dev.starling.evaluation;
