/** Whole networks in one process and one order of events, decided by a seed: clocks, links and disks are virtual. */
package dev.starling.peer.simulation;
