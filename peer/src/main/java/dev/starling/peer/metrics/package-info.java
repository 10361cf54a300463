/** What a peer tells those who run it: a log of events, metrics, and whether it is well. */
package dev.starling.peer.metrics;
