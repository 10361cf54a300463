/**
 * What the programs of several methods are made of: state that is saved in one place, gossip, sampling, the
 * conditioning of nodes, and their dual functions.
 */
package dev.starling.lab.baseline.node;
