/**
 * Links between numbered nodes: vectors of doubles, in order and exactly once, over gRPC with mutual TLS 1.3, across
 * lost connections and restarts of either end. gRPC and what is sent over it are hidden in it.
 */
package dev.starling.peer.transport;
