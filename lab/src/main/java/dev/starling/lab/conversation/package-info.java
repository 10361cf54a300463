/**
 * ADFS whose nodes do not all talk at once: along one edge at a time ({@code adfs-local}), or on a random matching in
 * every round ({@code adfs-matchings}). Both are methods of training, found as service providers.
 */
package dev.starling.lab.conversation;
