/**
 * Trains linear models on the nodes of a network, to a certified gap.
 *
 * <pre>{@code
 * Dataset rows = DatasetReader.standard().read(Path.of("a9a.gz"));
 * Fit fit = Trainer.logistic().lambda(1e-4).nodes(4).topology("ring").fit(rows);
 * fit.gap();                                  // at most 1e-6, proven
 * fit.model().save(Path.of("model.json"));    // with everything needed to train it again
 * }</pre>
 *
 * <p>Training takes rows ({@link dev.starling.data}), a loss and a graph by their names, and returns a model
 * ({@link dev.starling.model}).
 */
package dev.starling;
