package dev.starling.cli.verify;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Where the values of a JSON text are, so that they can be replaced one at a time.
 *
 * @param text the JSON
 * @param all its scalars, and all its members, each after its content
 */
record JsonPlaces(String text, List<Place> all) {

    /**
     * Where a value is.
     *
     * @param path the members and indices that lead to it, with slashes
     * @param start where its name begins if it is a member, or else the value
     * @param from where the value begins
     * @param to where the value ends
     * @param value a scalar as text, without quotes; empty for others
     */
    record Place(String path, int start, int from, int to, String value, boolean isString) {

        /** Whether this is a number, or a setting that is one. */
        boolean isNumber() {
            return !Double.isNaN(number());
        }

        double number() {
            try {
                return isString && !path.contains("/settings/") ? Double.NaN : Double.parseDouble(value);
            } catch (NumberFormatException e) {
                return Double.NaN;
            }
        }
    }

    static JsonPlaces of(String text) {
        List<Place> all = new ArrayList<>();
        try (JsonParser json = new JsonFactory().createParser(ObjectReadContext.empty(), text)) {
            json.nextToken();
            read(json, "", 0, all);
        }
        return new JsonPlaces(text, all);
    }

    private static void read(JsonParser json, String path, int start, List<Place> all) {
        int from = (int) json.currentTokenLocation().getCharOffset();
        boolean string = json.currentToken() == JsonToken.VALUE_STRING;
        String value = json.currentToken().isScalarValue() ? json.getString() : "";
        if (json.currentToken() == JsonToken.START_OBJECT) {
            while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                int name = (int) json.currentTokenLocation().getCharOffset();
                String member = path + "/" + json.currentName();
                json.nextToken();
                read(json, member, name, all);
            }
        } else if (json.currentToken() == JsonToken.START_ARRAY) {
            for (int k = 0; json.nextToken() != JsonToken.END_ARRAY; k++) {
                read(json, path + "/" + k, (int) json.currentTokenLocation().getCharOffset(), all);
            }
        }
        json.finishToken();
        int to = (int) json.currentLocation().getCharOffset();
        if (!path.isEmpty()) {
            all.add(new Place(path, start, from, to, value, string));
        }
    }

    /** The text with another value; in a string, what is in quotes is replaced. */
    String with(Place place, String value) {
        String written = place.isString ? "\"" + value.replace("\"", "") + "\"" : value;
        return text.substring(0, place.from) + written + text.substring(place.to);
    }

    /** The text without a member, or without an element of an array. */
    String without(Place place) {
        String before = text.substring(0, place.start);
        String after = text.substring(place.to).stripLeading();
        return after.startsWith(",")
                ? before + after.substring(1)
                : before.stripTrailing().replaceFirst(",$", "") + after;
    }
}
