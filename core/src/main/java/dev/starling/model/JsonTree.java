package dev.starling.model;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Converts between JSON and nested maps and lists. Booleans and numbers are read as strings. */
final class JsonTree {

    private JsonTree() {}

    /** Reads the value whose first token is the parser's current one. */
    static Object read(JsonParser json) {
        if (json.currentToken() == JsonToken.START_OBJECT) {
            Map<String, Object> map = new LinkedHashMap<>();
            for (String key = json.nextName(); key != null; key = json.nextName()) {
                json.nextToken();
                map.put(key, read(json));
            }
            return map;
        }
        if (json.currentToken() == JsonToken.START_ARRAY) {
            List<Object> list = new ArrayList<>();
            while (json.nextToken() != JsonToken.END_ARRAY) {
                list.add(read(json));
            }
            return list;
        }
        return String.valueOf(json.getString());
    }

    static void write(JsonGenerator json, Object value) {
        if (value instanceof Map<?, ?> map) {
            json.writeStartObject();
            map.forEach((key, member) -> {
                json.writeName(key.toString());
                write(json, member);
            });
            json.writeEndObject();
        } else if (value instanceof List<?> list) {
            json.writeStartArray();
            list.forEach(element -> write(json, element));
            json.writeEndArray();
        } else if (value instanceof Boolean bool) {
            json.writeBoolean(bool);
        } else if (value instanceof Integer number) {
            json.writeNumber(number);
        } else {
            json.writeString(value.toString());
        }
    }
}
