/** States on disk: whole or not there at all, told from damaged ones, and several of them. */
package dev.starling.peer.checkpoint;
