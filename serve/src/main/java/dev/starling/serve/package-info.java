/** A process that trains for R, Python and others, who speak to it through its standard streams; see docs/pipe.md. */
package dev.starling.serve;
