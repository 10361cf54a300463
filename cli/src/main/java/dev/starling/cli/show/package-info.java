/**
 * What a model says: {@code show}. {@link dev.starling.cli.show.Question} is what was asked,
 * {@link dev.starling.cli.show.CoefficientTable} the answer; whatever else is known about each coefficient joins as a
 * further {@link dev.starling.cli.show.CoefficientTable.Numbers column}.
 */
package dev.starling.cli.show;
