/**
 * The Params of estimators and models, and the settings that they stand for. Users meet them as methods of estimators.
 */
package dev.starling.spark.params;
