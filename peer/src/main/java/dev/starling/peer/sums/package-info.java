/**
 * Hidden sums between sites: keys of a session, masks that cancel in the total, and what a site checks before anything
 * of its own leaves it. docs/security.md has the protocol, byte by byte.
 */
package dev.starling.peer.sums;
