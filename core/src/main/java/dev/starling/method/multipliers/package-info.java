/**
 * The method of multipliers for losses with kinks: a sequence of smoothed problems, each solved by semismooth Newton
 * steps that are decided from sums over all nodes.
 */
package dev.starling.method.multipliers;
