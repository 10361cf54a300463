/**
 * How sites leave and join a network: by a change that all sites taking part afterwards have signed, and to which the
 * site whose sums it reveals has consented. Membership never changes automatically, so a network cannot split into two
 * halves that train separately.
 */
package dev.starling.peer.membership;
