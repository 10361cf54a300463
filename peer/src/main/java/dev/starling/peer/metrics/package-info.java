/** What a peer tells those who run it: metrics, and whether it is well. */
package dev.starling.peer.metrics;
