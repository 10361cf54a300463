/** A site's own rules about what may leave it, checked by the site itself before anything does. */
package dev.starling.peer.policy;
