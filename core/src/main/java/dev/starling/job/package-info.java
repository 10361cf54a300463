/**
 * A whole training job as a node program, which every runtime runs: settings, the nodes' agreement on a plan, training,
 * and the result. Each thing that nodes agree on, and each phase in which they do, is a type of its own.
 */
package dev.starling.job;
