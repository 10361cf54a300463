package dev.starling.cli.options;

import dev.starling.data.AtomicFiles;
import dev.starling.data.InvalidInputException;
import dev.starling.model.RecipeJson;
import dev.starling.table.Recipe;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.schema.FailsafeSchema;

/** Recipes in files of their own, as JSON or, where the name ends in .yaml or .yml, as YAML. */
public final class RecipeFiles {

    private RecipeFiles() {}

    private static boolean isYaml(Path file) {
        String name = file.toString().toLowerCase(Locale.ROOT);
        return name.endsWith(".yaml") || name.endsWith(".yml");
    }

    /**
     * Reads a recipe.
     *
     * @throws InvalidInputException if the file is missing or not a recipe
     */
    public static Recipe read(Path file) {
        String text;
        try {
            text = Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new InvalidInputException(file + " does not exist; give a recipe that 'describe' wrote", e);
        } catch (IOException e) {
            throw new InvalidInputException(file + " cannot be read: " + e.getMessage(), e);
        }
        return isYaml(file) ? ofYaml(text, file) : RecipeJson.read(text, file.toString());
    }

    /** Every scalar is a word: a level that is spelt no is not a truth. */
    private static Recipe ofYaml(String text, Path file) {
        try {
            LoadSettings words =
                    LoadSettings.builder().setSchema(new FailsafeSchema()).build();
            if (!(new Load(words).loadFromString(text) instanceof Map<?, ?> map)) {
                throw new InvalidInputException("this is not a recipe; it has a label and columns");
            }
            Map<String, Object> members = new LinkedHashMap<>();
            map.forEach((key, value) -> members.put(String.valueOf(key), value));
            return Recipe.of(members);
        } catch (YamlEngineException e) {
            throw new InvalidInputException(
                    file + " is not YAML: " + e.getMessage().lines().findFirst().orElse(""), e);
        } catch (InvalidInputException e) {
            throw new InvalidInputException(file + ": " + e.getMessage(), e);
        }
    }

    /** Writes a recipe for people to edit. */
    public static void write(Recipe recipe, Path file) {
        String text = isYaml(file)
                ? new Dump(DumpSettings.builder()
                                .setDefaultFlowStyle(FlowStyle.BLOCK)
                                .build())
                        .dumpToString(recipe.toMap())
                : RecipeJson.indented(recipe);
        AtomicFiles.write(file, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
    }
}
