/**
 * Runtimes, which drive the nodes: on threads, or in a simulator with idealised time. All use the same driver, over a
 * channel that hides how vectors are transported.
 */
package dev.starling.runtime;
