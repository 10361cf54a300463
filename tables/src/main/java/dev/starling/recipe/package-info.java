/**
 * Tables, whose columns have names and kinds, and recipes, which turn them into rows of numbers.
 *
 * <pre>{@code
 * Table people = TableReader.standard().read(Path.of("people.csv"));
 * Recipe recipe = Recipe.builder().label("income").drop(List.of("name")).learn(people);
 * Dataset rows = recipe.encode(people).rows();
 * rows.names();                                // age, sex=male, town=Lyon, town=Nice, …
 *
 * Table others = TableReader.standard().read(Path.of("others.csv"));
 * recipe.encodeToPredict(others).rows();       // columns in any order, with or without a label
 * }</pre>
 *
 * <p>What must be learnt from all rows is in a {@link dev.starling.table.Survey}; what is then applied to each row is
 * in a {@link dev.starling.recipe.Recipe}.
 */
package dev.starling.recipe;
