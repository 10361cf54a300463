/** Reads a site's file strictly: an unknown key or value is refused, and the most similar known one suggested. */
package dev.starling.peer.config;
