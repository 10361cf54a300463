/** Training: a {@link dev.starling.Trainer} makes a {@link dev.starling.Fit} out of a dataset. */
package dev.starling;
