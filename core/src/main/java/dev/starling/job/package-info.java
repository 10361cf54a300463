/**
 * A whole training job as a node program, which every runtime runs: settings, the nodes' agreement on a plan, training,
 * and the result. It has more types than most packages, because each thing that nodes agree on and each phase in which
 * they do is one, and none of them is for anybody else.
 */
package dev.starling.job;
