/** Benchmarks of the kernels, and other solvers as {@code bench/compare} drives them. Nothing depends on this. */
package dev.starling.bench;
