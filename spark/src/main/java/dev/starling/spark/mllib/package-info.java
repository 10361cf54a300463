/**
 * MLlib's linear models, trained to a certified gap: estimators that are MLlib's but for where their coefficients come
 * from.
 */
package dev.starling.spark.mllib;
