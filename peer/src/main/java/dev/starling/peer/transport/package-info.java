/**
 * Links between numbered nodes: vectors of doubles, in order and exactly once, over gRPC with mutual TLS 1.3, across
 * lost connections and restarts of either end. It has more types than most packages, because gRPC, TLS and what is sent
 * over them are hidden in it.
 */
package dev.starling.peer.transport;
