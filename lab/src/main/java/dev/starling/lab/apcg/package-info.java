/**
 * Generalized accelerated proximal coordinate gradient (APCG): minimises q_A(x) + Σ_i ψ_i(x_i), where q_A is smooth and
 * strongly convex on the orthogonal complement of Ker(A), each ψ_i has a proximal operator, and arbitrary blocks of
 * coordinates are sampled with arbitrary probabilities. ADFS is this method applied to a dual problem.
 */
package dev.starling.lab.apcg;
