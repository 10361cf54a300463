/**
 * How sites leave a network and join one: a change that those who take part afterwards have all signed, and to which
 * the one whose sums it reveals has consented. Nothing changes by itself: two halves of a network never go on apart.
 */
package dev.starling.peer.membership;
