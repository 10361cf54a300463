package dev.starling.peer.config;

import dev.starling.data.AtomicFiles;
import dev.starling.data.InvalidInputException;
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
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.schema.FailsafeSchema;

/**
 * Files of nested maps and lists of words, for people to edit: studies and recipes. YAML, of which JSON is a part;
 * every scalar is a word, so that a level that is spelt no is not a truth.
 */
public final class WordFile {

    private WordFile() {}

    /** Whether a file's name says that it is YAML; otherwise it is JSON. */
    public static boolean isYaml(Path file) {
        String name = file.toString().toLowerCase(Locale.ROOT);
        return name.endsWith(".yaml") || name.endsWith(".yml");
    }

    /**
     * Reads a study.
     *
     * @throws InvalidInputException if the file is missing or not a study
     */
    public static Study readStudy(Path file) {
        Map<String, Object> members = read(file, "a study that 'study propose' wrote");
        try {
            return Study.of(members);
        } catch (InvalidInputException e) {
            throw new InvalidInputException(file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Reads the members of a file.
     *
     * @param what the file should be, in words
     * @throws InvalidInputException if the file is missing or holds something else
     */
    public static Map<String, Object> read(Path file, String what) {
        try {
            LoadSettings words = LoadSettings.builder()
                    .setSchema(new FailsafeSchema())
                    .setAllowDuplicateKeys(false)
                    .setCodePointLimit(1 << 24)
                    .build();
            if (!(new Load(words).loadFromString(Files.readString(file)) instanceof Map<?, ?> map)) {
                throw new InvalidInputException(file + " has no members; give " + what);
            }
            Map<String, Object> members = new LinkedHashMap<>();
            map.forEach((key, value) -> members.put(String.valueOf(key), value));
            return members;
        } catch (NoSuchFileException e) {
            throw new InvalidInputException(file + " does not exist; give " + what, e);
        } catch (IOException e) {
            throw new InvalidInputException(file + " cannot be read: " + e.getMessage(), e);
        } catch (YamlEngineException e) {
            String why = e.getMessage().lines().findFirst().orElse("");
            throw new InvalidInputException(file + " is not YAML: " + why, e);
        }
    }

    /** Writes members, as YAML or as JSON, by the file's name. */
    public static void write(Map<String, Object> members, Path file) {
        String text = isYaml(file)
                ? new Dump(DumpSettings.builder()
                                .setDefaultFlowStyle(FlowStyle.BLOCK)
                                .build())
                        .dumpToString(members)
                : new Dump(DumpSettings.builder()
                                .setDefaultFlowStyle(FlowStyle.FLOW)
                                .setDefaultScalarStyle(ScalarStyle.DOUBLE_QUOTED)
                                .setMultiLineFlow(true)
                                .build())
                        .dumpToString(words(members));
        AtomicFiles.write(file, out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** In quotes, anything but a word would need a tag to say what it is. */
    private static Object words(Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> words = new LinkedHashMap<>();
            map.forEach((key, member) -> words.put(key.toString(), words(member)));
            return words;
        }
        return value instanceof List<?> list
                ? list.stream().map(WordFile::words).toList()
                : value.toString();
    }
}
