/** Models as Spark carries, saves and loads them. Internal; not for users. */
package dev.starling.spark.model;
