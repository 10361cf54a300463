/**
 * What a site's log is told: events with their details, on one line each. Whoever knocks again and again is counted,
 * not repeated.
 */
package dev.starling.peer.events;
