/** How good a model is: {@code evaluate}, and the report of {@code train} on rows that it did not train on. */
package dev.starling.cli.evaluate;
