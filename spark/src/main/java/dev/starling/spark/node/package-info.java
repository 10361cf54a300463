/**
 * A node as a task of a barrier stage: its lines to the tasks of its neighbours, its states on a shared file system,
 * and the host that drives its job. Internal; not for users.
 */
package dev.starling.spark.node;
