/** What sites tell each other before they train, and how it reaches everyone. */
package dev.starling.peer.facts;
