/** ADFS for functions that are no losses of rows: anything with a proximal operator. */
package dev.starling.lab.general;
