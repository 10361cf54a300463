/** Forms of ADFS as the paper has them, or that training does not use. */
package dev.starling.lab.variant;
