/** Checkpoints on disk: each is either complete or absent, damaged ones are detected, and several are kept. */
package dev.starling.peer.checkpoint;
