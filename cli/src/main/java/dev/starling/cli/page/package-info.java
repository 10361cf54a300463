/** Pictures: curves and graphs as SVG. */
package dev.starling.cli.page;
