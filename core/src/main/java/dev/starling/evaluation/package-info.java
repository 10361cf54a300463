/**
 * Measures how good a model is on labelled rows. {@link dev.starling.evaluation.Evaluation} is for rows that are all in
 * this process; a {@link dev.starling.evaluation.tally.Tally} holds only sums and counts, so that sites that keep their
 * rows private can evaluate a model together by adding up their tallies.
 *
 * <pre>{@code
 * LinearModel model = LinearModel.load(Path.of("model.json"));
 * Measures measures = Evaluation.of(model, rows);
 * measures.values().forEach((name, value) -> System.out.println(name + " " + value));
 * }</pre>
 */
package dev.starling.evaluation;
