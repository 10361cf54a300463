/**
 * Who drives the nodes: threads, a simulator with idealised time; one driver over a channel, whatever carries the
 * vectors.
 */
package dev.starling.runtime;
