/**
 * Starling as Spark ML estimators: the partitions of a DataFrame are the nodes, the tasks of one barrier stage run
 * them, and neighbouring tasks communicate directly.
 *
 * <pre>{@code
 * StarlingClassificationModel model = new StarlingClassifier().setRegParam(1e-4).setTol(1e-6).fit(rows);
 * model.summary().gap();   // at most 1e-6, proven
 * new StarlingTableEstimator().setLabelCol("income").fit(people);   // columns as they are
 * }</pre>
 */
package dev.starling.spark;
