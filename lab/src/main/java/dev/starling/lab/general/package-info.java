/** ADFS for functions that are not losses of rows: anything with a proximal operator. */
package dev.starling.lab.general;
