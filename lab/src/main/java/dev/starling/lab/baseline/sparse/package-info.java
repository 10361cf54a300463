/** DSBA, and the methods that send what samples have changed instead of vectors. */
package dev.starling.lab.baseline.sparse;
