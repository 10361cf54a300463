package dev.starling.method;

/**
 * A kind of sum that the nodes of a method add up while they train.
 *
 * @param kind what it is called where sums are listed, in a site's ledger for example
 * @param numbers how many numbers it has
 * @param curved whether it includes second derivatives, all of them or their diagonal
 */
public record TrainingSum(String kind, long numbers, boolean curved) {}
