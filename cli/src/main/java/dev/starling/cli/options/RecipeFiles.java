package dev.starling.cli.options;

import dev.starling.data.AtomicFiles;
import dev.starling.data.InvalidInputException;
import dev.starling.model.RecipeJson;
import dev.starling.peer.config.WordFile;
import dev.starling.table.Recipe;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Recipes in files of their own, as JSON or, where the name ends in .yaml or .yml, as YAML. */
public final class RecipeFiles {

    private static final String WHAT = "a recipe that 'describe' wrote";

    private RecipeFiles() {}

    /**
     * Reads a recipe.
     *
     * @throws InvalidInputException if the file is missing or not a recipe
     */
    public static Recipe read(Path file) {
        if (!WordFile.isYaml(file)) {
            return RecipeJson.read(text(file), file.toString());
        }
        try {
            return Recipe.of(WordFile.read(file, WHAT));
        } catch (InvalidInputException e) {
            boolean named = e.getMessage().startsWith(file.toString());
            throw named ? e : new InvalidInputException(file + ": " + e.getMessage(), e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new InvalidInputException(file + " does not exist; give " + WHAT, e);
        } catch (IOException e) {
            throw new InvalidInputException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Writes a recipe for people to edit. */
    public static void write(Recipe recipe, Path file) {
        if (WordFile.isYaml(file)) {
            WordFile.write(recipe.toMap(), file);
        } else {
            String text = RecipeJson.indented(recipe);
            AtomicFiles.write(file, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
        }
    }
}
