/**
 * Localised ADFS: ADFS on losses that are only trusted near a point all nodes know, with curvature in every message.
 */
package dev.starling.lab.localised;
