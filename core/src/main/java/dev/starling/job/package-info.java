/**
 * A whole training job as a node program, which every runtime runs: settings, the nodes' agreement on a plan, training,
 * and the result.
 */
package dev.starling.job;
