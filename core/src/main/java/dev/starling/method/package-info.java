/**
 * Ways to find the optimum, one type each, in one list ({@link dev.starling.method.Methods}) that every runtime takes
 * them from.
 */
package dev.starling.method;
