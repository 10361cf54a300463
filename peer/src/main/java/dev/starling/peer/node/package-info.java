/** A site's process: it learns of the others, drives its node, survives what happens to it, and ends with the model. */
package dev.starling.peer.node;
