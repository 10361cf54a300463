/**
 * ADFS: accelerated proximal steps, each on one sample, and rounds in which neighbours exchange vectors. A step is
 * either of these; idealised time counts 1 for a proximal step and τ for a message.
 */
package dev.starling.method.adfs;
