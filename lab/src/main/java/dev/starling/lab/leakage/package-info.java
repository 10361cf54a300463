/** What an attacker can compute from what runs and printed tables disclose: the published attacks, tried. */
package dev.starling.lab.leakage;
