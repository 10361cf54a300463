/** Methods whose rates depend on how similar the functions of nodes are, and that similarity itself. */
package dev.starling.lab.baseline.similarity;
