package dev.starling.verify;

import dev.starling.data.InvalidInputException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads the members "gap" of a model file, which are there for people: loading a model uses objective, dual and error
 * instead. A file that has a member twice says two things, and is refused.
 */
final class WrittenGaps {

    private static final int GZIP_MAGIC = 0x1f;
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private final Path file;
    private final JsonParser json;

    private WrittenGaps(Path file, JsonParser json) {
        this.file = file;
        this.json = json;
    }

    /** Returns the gap of the training, then those of the path; infinite where there is none. */
    static List<Double> of(Path file) {
        try (InputStream raw = new BufferedInputStream(Files.newInputStream(file))) {
            raw.mark(1);
            boolean compressed = raw.read() == GZIP_MAGIC;
            raw.reset();
            try (JsonParser json =
                    FACTORY.createParser(ObjectReadContext.empty(), compressed ? new GZIPInputStream(raw) : raw)) {
                return new WrittenGaps(file, json).all();
            }
        } catch (JacksonException e) {
            throw new InvalidInputException(
                    file + ": " + e.getOriginalMessage() + "; take the file that training wrote", e);
        } catch (IOException e) {
            throw InvalidInputException.unreadable(file, e);
        }
    }

    private List<Double> all() {
        List<Double> gaps = new ArrayList<>(List.of(Double.POSITIVE_INFINITY));
        json.nextToken();
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String member = json.currentName();
            json.nextToken();
            if (member.equals("training")) {
                gaps.set(0, one());
            } else if (member.equals("path")) {
                while (json.nextToken() == JsonToken.START_OBJECT) {
                    gaps.add(one());
                }
            } else {
                json.skipChildren();
            }
        }
        return gaps;
    }

    /** Returns the member "gap" of the object that begins here, and reads the object to its end. */
    private double one() {
        double found = Double.POSITIVE_INFINITY;
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            boolean gap = json.currentName().equals("gap");
            JsonToken value = json.nextToken();
            if (gap && value != JsonToken.VALUE_NULL) {
                found = value.isNumeric() ? json.getDoubleValue() : Double.NaN;
                requireGap(found);
            }
            json.skipChildren();
        }
        return found;
    }

    private void requireGap(double found) {
        if (!(found >= 0)) {
            throw new InvalidInputException(
                    file + " has a gap of '" + json.getString() + "', which must be null or a number of 0 or more");
        }
    }
}
