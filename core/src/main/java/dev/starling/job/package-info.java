/** A whole job as a node program: settings, agreement of the nodes, training, the result. What every runtime runs. */
package dev.starling.job;
