package dev.starling.peer.config;

import dev.starling.data.InvalidInputException;
import dev.starling.data.text.AtomicFiles;
import dev.starling.recipe.Recipe;
import dev.starling.recipe.RecipeJson;
import dev.starling.study.Study;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.schema.FailsafeSchema;

/**
 * Files of nested maps and lists of strings, for people to edit: studies and recipes. They are YAML, which includes
 * JSON; every scalar is read as a string, so that a level written as {@code no} does not become a boolean.
 */
public final class WordFile {

    private static final String STUDY = "a study that 'study propose' wrote";
    private static final String RECIPE = "a recipe that 'describe' wrote";

    private WordFile() {}

    /** Whether a file's name says that it is YAML; otherwise it is JSON. */
    public static boolean isYaml(String file) {
        String name = file.toLowerCase(Locale.ROOT);
        return name.endsWith(".yaml") || name.endsWith(".yml");
    }

    /**
     * Reads a study.
     *
     * @throws InvalidInputException if the file is missing or not a study
     */
    public static Study readStudy(Path file) {
        return study(text(file, STUDY), file.toString());
    }

    /**
     * Parses a study.
     *
     * @param name what to call the text in messages
     * @throws InvalidInputException if it is not a study
     */
    public static Study study(String text, String name) {
        return readNamed(name, Study::of, members(text, name, STUDY));
    }

    /**
     * Reads a recipe.
     *
     * @throws InvalidInputException if the file is missing or not a recipe
     */
    public static Recipe readRecipe(Path file) {
        String name = file.toString();
        String text = text(file, RECIPE);
        if (!isYaml(name) && !text.stripLeading().startsWith("{")) {
            throw new InvalidInputException(name + " is not a recipe; give a .yaml or .json file");
        }
        return recipe(text, name, isYaml(name));
    }

    /**
     * Parses a recipe.
     *
     * @param name what to call the text in messages
     * @param yaml whether it is YAML; otherwise it is JSON
     * @throws InvalidInputException if it is not a recipe
     */
    public static Recipe recipe(String text, String name, boolean yaml) {
        return yaml ? readNamed(name, Recipe::of, members(text, name, RECIPE)) : RecipeJson.read(text, name);
    }

    /** Applies a reader to the members of a text; error messages begin with the text's name. */
    private static <T> T readNamed(String name, Function<Map<String, Object>, T> reader, Map<String, Object> members) {
        try {
            return reader.apply(members);
        } catch (InvalidInputException e) {
            throw new InvalidInputException(name + ": " + e.getMessage(), e);
        }
    }

    private static String text(Path file, String what) {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new InvalidInputException(file + " does not exist; give " + what, e);
        } catch (IOException e) {
            throw InvalidInputException.unreadable(file, e);
        }
    }

    private static Map<String, Object> members(String text, String name, String what) {
        LoadSettings settings = LoadSettings.builder()
                .setSchema(new FailsafeSchema())
                .setAllowDuplicateKeys(false)
                .setCodePointLimit(1 << 24)
                .build();
        if (!(yaml(settings, text, name) instanceof Map<?, ?> map)) {
            throw new InvalidInputException(name + " has no members; give " + what);
        }
        Map<String, Object> members = new LinkedHashMap<>();
        map.forEach((key, value) -> members.put(String.valueOf(key), value));
        return members;
    }

    /** Parses YAML; error messages begin with the text's name. */
    static Object yaml(LoadSettings settings, String text, String name) {
        try {
            return new Load(settings).loadFromString(text);
        } catch (MarkedYamlEngineException e) {
            String where = e.getProblemMark()
                    .map(mark -> ", line " + (mark.getLine() + 1))
                    .orElse("");
            throw new InvalidInputException(name + where + ": this is not YAML: " + e.getProblem(), e);
        } catch (YamlEngineException e) {
            throw new InvalidInputException(
                    name + " is not YAML: " + e.getMessage().lines().findFirst().orElse(""), e);
        } catch (StackOverflowError e) {
            throw new InvalidInputException(name + " has lists or mappings nested too deeply; no file needs that", e);
        }
    }

    /** Writes a recipe for people to edit, as YAML or JSON depending on the file's name. */
    public static void writeRecipe(Recipe recipe, Path file) {
        if (isYaml(file.toString())) {
            write(recipe.toMap(), file);
        } else {
            write(RecipeJson.indented(recipe), file);
        }
    }

    /** Writes members as YAML or JSON, depending on the file's name. */
    public static void write(Map<String, Object> members, Path file) {
        String text = isYaml(file.toString())
                ? new Dump(DumpSettings.builder()
                                .setDefaultFlowStyle(FlowStyle.BLOCK)
                                .build())
                        .dumpToString(members)
                : new Dump(DumpSettings.builder()
                                .setDefaultFlowStyle(FlowStyle.FLOW)
                                .setDefaultScalarStyle(ScalarStyle.DOUBLE_QUOTED)
                                .setMultiLineFlow(true)
                                .build())
                        .dumpToString(strings(members));
        write(text, file);
    }

    private static void write(String text, Path file) {
        AtomicFiles.write(file, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Converts every scalar to a string: in quotes, any other type would be written with a type tag. */
    private static Object strings(Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> members = new LinkedHashMap<>();
            map.forEach((key, member) -> members.put(key.toString(), strings(member)));
            return members;
        }
        return value instanceof List<?> list
                ? list.stream().map(WordFile::strings).toList()
                : value.toString();
    }
}
