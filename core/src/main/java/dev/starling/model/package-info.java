/**
 * Models: what they predict, how they were made, and the files they are stored in.
 *
 * <pre>{@code
 * LinearModel model = LinearModel.load(Path.of("model.json"));
 * double label = model.predict(new double[] {0.5, 1, 0});
 * double[] ofClasses = model.probabilities(new int[] {0, 1}, new double[] {0.5, 1});
 * model.save(Path.of("model.txt.gz"));        // in LIBLINEAR's format, compressed
 *
 * Provenance made = model.provenance();
 * made.certificate().relativeGap();           // bounds how far its objective is above the optimum
 * Network network = made.graph().build();     // the graph it was trained on
 * }</pre>
 */
package dev.starling.model;
