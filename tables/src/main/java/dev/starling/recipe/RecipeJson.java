package dev.starling.recipe;

import dev.starling.data.InvalidInputException;
import dev.starling.internal.JsonTree;
import java.util.Map;

/** Reads and writes recipes as JSON, in files of their own. */
public final class RecipeJson {

    private RecipeJson() {}

    /** A recipe on one line. */
    public static String text(Recipe recipe) {
        return JsonTree.text(recipe.toMap());
    }

    /** A recipe on many lines, for people to edit. */
    public static String indented(Recipe recipe) {
        return JsonTree.indented(recipe.toMap());
    }

    /**
     * Reads a recipe.
     *
     * @param name the name of the text, for error messages
     * @throws InvalidInputException if it is not a recipe
     */
    public static Recipe read(String text, String name) {
        try {
            if (JsonTree.parse(text) instanceof Map<?, ?> members) {
                return Recipe.of(members);
            }
            throw new InvalidInputException("a recipe must be an object, in braces");
        } catch (InvalidInputException e) {
            throw new InvalidInputException(name + ": " + e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            throw new InvalidInputException(name + ", " + e.getMessage(), e);
        }
    }
}
