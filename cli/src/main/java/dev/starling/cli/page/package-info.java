/** Pictures and pages: line charts as SVG, the layout of graphs, and what all HTML pages share. */
package dev.starling.cli.page;
