/** Monitoring of a peer for its operators: metrics, health and a status page. */
package dev.starling.peer.metrics;
