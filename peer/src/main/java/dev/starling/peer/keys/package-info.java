/** A private certificate authority, the keys of sites, and files that only their owner may read. */
package dev.starling.peer.keys;
