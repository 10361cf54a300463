/** How good a model is: {@code evaluate}, and what {@code train} says of rows that it did not train on. */
package dev.starling.cli.evaluate;
