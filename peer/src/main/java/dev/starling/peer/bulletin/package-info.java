/**
 * What sites tell each other apart from the messages of the run itself: who is present, with which settings, and why a
 * site left.
 */
package dev.starling.peer.bulletin;
