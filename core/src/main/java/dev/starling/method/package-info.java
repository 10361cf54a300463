/**
 * The optimisation methods: one type each, all listed in {@link dev.starling.method.Methods}, where every runtime finds
 * them.
 */
package dev.starling.method;
