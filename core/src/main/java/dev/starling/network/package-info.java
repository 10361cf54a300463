/** Graphs: topologies by name, files of edges, spanning trees, and the eigenvalues that theory asks for. */
package dev.starling.network;
