/** How eigenvalues of graphs are computed: exactly for small ones and trees, by iteration for large ones. */
package dev.starling.network.spectrum;
