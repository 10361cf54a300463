/**
 * Losses by name, with everything that methods and certificates ask of them: values, slopes, proximal points,
 * conjugates.
 */
package dev.starling.loss;
