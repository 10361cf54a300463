/**
 * What is done with DataFrames: recipes are learnt from them, models are trained on them, and predictions added to
 * them. Internal; not for users.
 */
package dev.starling.spark.frame;
