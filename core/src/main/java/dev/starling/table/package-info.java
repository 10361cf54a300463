/**
 * Tables: columns with names and kinds, and the recipe by which rows of numbers are made of them.
 *
 * <pre>{@code
 * Table people = DatasetReader.standard().readTable(Path.of("people.csv"));
 * Recipe recipe = Recipe.builder().label("income").drop(List.of("name")).learn(people);
 * Dataset rows = recipe.encode(people).rows();
 * rows.names();                                // age, sex=male, town=Lyon, town=Nice, …
 *
 * Table others = DatasetReader.standard().readTable(Path.of("others.csv"));
 * recipe.encodeToPredict(others).rows();       // columns in any order, without a label if need be
 * }</pre>
 *
 * <p>What must be learnt from all rows is in a {@link dev.starling.table.Survey}; what is applied to each row is in a
 * {@link dev.starling.table.Recipe}.
 */
package dev.starling.table;
