/** The plots of the ADFS paper, and measurements of what it proves: their rows, their sizes, their runs. */
package dev.starling.lab.paper;
