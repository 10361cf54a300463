/** {@code playground}: a page on which methods race over networks that are drawn in the browser. */
package dev.starling.cli.playground;
