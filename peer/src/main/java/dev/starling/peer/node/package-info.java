/**
 * A site's process: it finds out about the others, drives its node, survives failures, and ends with the model.
 *
 * <p>It has more types than most packages, because each part of a process that must survive a failure on its own is
 * one.
 */
package dev.starling.peer.node;
