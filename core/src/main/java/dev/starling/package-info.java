/**
 * Trains linear models on the nodes of a network, to a certified gap.
 *
 * <pre>{@code
 * Dataset rows = DatasetReader.standard().read(Path.of("a9a.gz"));
 * Fit fit = Trainer.logistic().lambda(1e-4).nodes(4).topology("ring").fit(rows);
 * fit.gap();                                  // at most 1e-6, proven
 * fit.model().save(Path.of("model.json"));    // with all that is needed to make it again
 * }</pre>
 *
 * <p>The road goes from rows ({@link dev.starling.data}) by a loss ({@link dev.starling.loss}) and a graph
 * ({@link dev.starling.network}) to a model ({@link dev.starling.model}).
 */
package dev.starling;
