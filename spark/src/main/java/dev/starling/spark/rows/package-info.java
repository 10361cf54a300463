/**
 * Rows on their way from a DataFrame to the nodes: distributed if there are more or fewer partitions than nodes,
 * converted to the core's compact layout, and read by the task that runs the node. Internal; not for users.
 */
package dev.starling.spark.rows;
