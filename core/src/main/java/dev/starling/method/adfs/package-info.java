/** ADFS: accelerated proximal steps on samples, and rounds of vectors between neighbours. */
package dev.starling.method.adfs;
