/**
 * Benchmarks of the kernels, and wrappers of other solvers for {@code bench/compare}. Nothing depends on this package.
 */
package dev.starling.bench;
