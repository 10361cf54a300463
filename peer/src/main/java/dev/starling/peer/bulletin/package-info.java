/** What sites tell each other beside the run itself: who is there, with which settings, and why somebody left. */
package dev.starling.peer.bulletin;
