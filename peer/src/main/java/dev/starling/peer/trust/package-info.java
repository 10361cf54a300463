/**
 * Who is believed: certificates, the authorities behind them, pinned keys and lists of what was revoked. Links,
 * signatures and the page of a site all ask here, and every refusal has one of the reasons listed here.
 */
package dev.starling.peer.trust;
