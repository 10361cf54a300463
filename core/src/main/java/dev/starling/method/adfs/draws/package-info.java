/** The random choices of ADFS: which steps compute and which communicate, on which samples and over which edges. */
package dev.starling.method.adfs.draws;
