/** Pictures and pages: curves and graphs as SVG, and what every page has. */
package dev.starling.cli.page;
