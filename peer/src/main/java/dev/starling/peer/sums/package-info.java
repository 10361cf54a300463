/**
 * Hidden sums between sites: the sites learn the total of their addends, but nobody else's addend. This takes the keys
 * of a session, masks that cancel in the total, and checks that a site makes before anything of its own leaves it.
 * docs/security.md specifies the protocol byte by byte.
 */
package dev.starling.peer.sums;
