/**
 * A node as a task of a barrier stage: its lines to the tasks of its neighbours, its states on a shared file system,
 * and the host that drives the job over them. Not for users.
 */
package dev.starling.spark.node;
