package dev.starling.model;

import dev.starling.data.InvalidInputException;
import dev.starling.table.Recipe;
import java.io.StringWriter;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.PrettyPrinter;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultPrettyPrinter;

/** Reads and writes recipes as JSON, as part of a model file or in files of their own. */
public final class RecipeJson {

    private static final JsonFactory FACTORY = JsonFactory.builder().build();

    private RecipeJson() {}

    /** A recipe on one line. */
    public static String text(Recipe recipe) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), text)) {
            JsonTree.write(json, recipe.toMap());
        }
        return text.toString();
    }

    /** A recipe on many lines, for people to edit. */
    public static String indented(Recipe recipe) {
        StringWriter text = new StringWriter();
        ObjectWriteContext pretty = new ObjectWriteContext.Base() {
            @Override
            public PrettyPrinter getPrettyPrinter() {
                return new DefaultPrettyPrinter();
            }
        };
        try (JsonGenerator json = FACTORY.createGenerator(pretty, text)) {
            JsonTree.write(json, recipe.toMap());
        }
        return text + "\n";
    }

    /**
     * Reads a recipe.
     *
     * @param name the name of the text, for error messages
     * @throws InvalidInputException if it is not a recipe
     */
    public static Recipe read(String text, String name) {
        try (JsonParser json = FACTORY.createParser(ObjectReadContext.empty(), text)) {
            json.nextToken();
            Recipe recipe = recipe(json);
            if (json.nextToken() != null) {
                throw new InvalidInputException("more follows after the recipe");
            }
            return recipe;
        } catch (JacksonException e) {
            throw new InvalidInputException(
                    name + ", line " + e.getLocation().getLineNr() + ": this is not JSON; check quotes and commas", e);
        } catch (InvalidInputException e) {
            throw new InvalidInputException(name + ": " + e.getMessage(), e);
        }
    }

    /** Reads the recipe whose opening brace is the parser's current token. */
    static Recipe recipe(JsonParser json) {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw new InvalidInputException("a recipe must be an object, in braces");
        }
        @SuppressWarnings("unchecked")
        Map<String, Object> members = (Map<String, Object>) JsonTree.read(json);
        return Recipe.of(members);
    }
}
