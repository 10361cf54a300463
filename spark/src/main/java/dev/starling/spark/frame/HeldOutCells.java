package dev.starling.spark.frame;

import dev.starling.data.keys.RowSample;
import dev.starling.recipe.Recipe;
import dev.starling.recipe.RecipeJson;
import dev.starling.table.Table;
import java.io.Serializable;
import java.util.BitSet;

/**
 * Finds the rows of tables that are held out from training, in a form that can be sent to executors.
 *
 * @param recipe a recipe with nothing left to learn, as JSON
 * @param part the fraction of rows that is held out
 * @param seed the seed by which rows are held out
 */
record HeldOutCells(String recipe, double part, long seed) implements Serializable {

    /** No rows are held out. */
    static final HeldOutCells NONE = new HeldOutCells("", 0, 0);

    static HeldOutCells of(Recipe recipe, RowSample heldOut) {
        return new HeldOutCells(RecipeJson.text(recipe), heldOut.part(), heldOut.seed());
    }

    BitSet in(Table table) {
        return part == 0
                ? new BitSet()
                : RecipeJson.read(recipe, "recipe").encodePart(table, true).in(new RowSample(part, seed));
    }
}
