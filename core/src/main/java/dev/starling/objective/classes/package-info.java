/**
 * Terms of several classes at once: multinomial, with a margin for each class, and ordinal, with thresholds between
 * classes that are in order.
 */
package dev.starling.objective.classes;
