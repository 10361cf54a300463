/**
 * Rows on their way from a DataFrame to the nodes: dealt out where there are more or fewer partitions than nodes,
 * packed into the core's compact layout, and taken in by the task that runs the node. Not for users.
 */
package dev.starling.spark.rows;
