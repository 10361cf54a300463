/**
 * What a site remembers of its people over all runs, and the one rule that follows from it: whatever is learnt is a
 * total over a set of people, totals can be subtracted from each other, and so the classes of people who were together
 * in every total so far must never be small.
 */
package dev.starling.peer.cohort;
