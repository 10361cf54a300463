/** The process that other languages start. */
package dev.starling.cli.serve;
