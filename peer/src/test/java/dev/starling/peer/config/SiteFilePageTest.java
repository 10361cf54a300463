package dev.starling.peer.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.starling.data.InvalidInputException;
import dev.starling.peer.keys.Authority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What docs/site-file.md says of every key is what the reader does. */
class SiteFilePageTest {

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    /** Sections whose keys are names of sites are read for the site b. */
    private static final Map<String, String> SMALLEST = Map.of(
            "",
            "version: 1\nsite: a\nrun: r\nsites: [a, b]\nedges: [[a, b]]\nlisten: 127.0.0.1:7400\nstate: s",
            "neighbours.NAME",
            "address: 127.0.0.1:7401",
            "tls",
            "authority: authority.pem\nkey: a.p12",
            "data",
            "file: a.csv");

    /** A line of the page. */
    private record Key(String name, String type, String standard, String example) {

        static Key of(String line) {
            String[] cells = line.split(" *\\| *", -1);
            return new Key(cells[1].replace("`", ""), cells[3], cells[4], cells[6]);
        }

        String section() {
            return name.substring(0, Math.max(0, name.lastIndexOf('.')));
        }

        String last() {
            return name.substring(name.lastIndexOf('.') + 1);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    @TempDir
    private Path folder;

    static Stream<Key> keys() throws IOException {
        return Files.readAllLines(Path.of("..", "docs", "site-file.md")).stream()
                .filter(line -> line.startsWith("| `"))
                .map(Key::of);
    }

    static Stream<Key> keysWithDefaults() throws IOException {
        return keys().filter(key -> key.standard().startsWith("`"));
    }

    static Stream<Key> keysWithExamples() throws IOException {
        return keys().filter(key -> !key.example().isEmpty());
    }

    @BeforeEach
    void writeWhatExamplesName() throws IOException {
        Authority authority = Authority.create(Instant.now(), Duration.ofDays(1));
        Files.createDirectories(folder.resolve("keys"));
        Files.write(
                folder.resolve("keys/proxy-ca.pem"),
                authority.issue("proxy", Instant.now(), Duration.ofDays(1)).authority());
        Files.writeString(folder.resolve("study.yaml"), """
                label: {column: y, classes: [no, 'yes']}
                columns:
                - {name: x, kind: numeric, missing: refuse}
                """);
    }

    /** Reads the smallest file with lines of one section added, which replace its own. */
    private SiteConfig read(String section, List<String> lines) {
        StringBuilder text = new StringBuilder();
        Set<String> sections = new TreeSet<>(SMALLEST.keySet());
        sections.add(section);
        for (String each : sections) {
            Map<String, String> entries = new LinkedHashMap<>();
            Stream.concat(
                            SMALLEST.getOrDefault(each, "").lines(),
                            each.equals(section) ? lines.stream() : Stream.empty())
                    .forEach(line -> entries.put(line.substring(0, line.indexOf(':')), line));
            List<String> path = each.isEmpty()
                    ? List.of()
                    : List.of(each.replace("NAME", "b").split("\\."));
            for (int depth = 0; depth < path.size(); depth++) {
                text.append("  ".repeat(depth)).append(path.get(depth)).append(":\n");
            }
            entries.values()
                    .forEach(line ->
                            text.append("  ".repeat(path.size())).append(line).append('\n'));
        }
        return SiteReader.parse(text.toString(), "a.yaml", folder);
    }

    private static List<String> code(String cell) {
        return CODE.matcher(cell)
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }

    /** The keys of a section, as the reader lists them when it refuses another. */
    private Set<String> known(String section) {
        InvalidInputException refusal = catchThrowableOfType(
                InvalidInputException.class, () -> read(section, List.of("no-such-key-at-all: 1")));
        String list = refusal.getMessage().replaceFirst("(?s).* there are: ", "");
        return Stream.of(list.split(", "))
                .map(key -> key.substring(key.lastIndexOf('.') + 1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void thePageHasTheKeysThatTheReaderKnows() throws IOException {
        Map<String, Set<String>> listed = keys().collect(Collectors.groupingBy(
                Key::section, Collectors.mapping(Key::last, Collectors.toCollection(TreeSet::new))));
        listed.remove("keys");
        Set<String> top = listed.get("");
        assertThat(listed).hasSize(8);
        listed.forEach((section, names) -> {
            if (!section.isEmpty()) {
                assertThat(names).as(section).isEqualTo(known(section));
                top.add(section.replaceFirst("\\..*", ""));
            }
        });
        top.add("keys");
        assertThat(top).isEqualTo(known(""));
    }

    @ParameterizedTest
    @MethodSource("keysWithDefaults")
    void leavingAKeyOutMeansItsDefault(Key key) {
        String line = key.last() + ": " + code(key.standard()).get(0);
        assertThat(read(key.section(), List.of(line)))
                .hasToString(read(key.section(), List.of()).toString());
    }

    @ParameterizedTest
    @MethodSource("keysWithExamples")
    void theExampleIsReadAndDiffersFromTheDefault(Key key) {
        SiteConfig read = read(key.section(), code(key.example()));
        if (!SMALLEST.getOrDefault(key.section(), "").contains(key.last() + ": ")) {
            assertThat(read.toString())
                    .isNotEqualTo(read(key.section(), List.of()).toString());
        }
    }

    @ParameterizedTest
    @MethodSource("keysWithExamples")
    void theExampleIsOfThatKey(Key key) {
        assertThat(code(key.example()).get(0)).startsWith(key.last() + ": ");
    }
}
