/**
 * Datasets of labelled rows: read from files, made from arrays, built row by row, or generated.
 *
 * <pre>{@code
 * Dataset houses = DatasetReader.standard().labelColumn("price").read(Path.of("houses.csv"));
 * houses.names();                             // the header's, without the label
 *
 * Dataset two = Dataset.of(new double[][] {{0.5, 1}, {2, 0}}, new double[] {1, -1});
 * Dataset same = Dataset.builder(2)
 *         .row(1, 0.5, 1)
 *         .row(-1, new int[] {0}, new double[] {2})
 *         .build();
 * Dataset many = Generator.classification(10_000, 50).seed(7).generate();
 * }</pre>
 *
 * <p>It has more types than most packages, because rows, labels, what is learnt from them and how files become rows are
 * one thing to a user.
 */
package dev.starling.data;
