/** A site's process: it finds out about the others, drives its node, survives failures, and ends with the model. */
package dev.starling.peer.node;
