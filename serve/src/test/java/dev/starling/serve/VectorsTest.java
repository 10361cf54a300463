package dev.starling.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.internal.JsonTree;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The server answers the requests in docs/pipe.md as the page says. */
@Timeout(60)
class VectorsTest {

    static Stream<String> vectors() throws IOException {
        String page = Files.readString(Path.of(System.getProperty("starling.root"), "docs", "pipe.md"));
        String block = page.substring(page.indexOf("```vectors\n") + 11, page.lastIndexOf("\n```"));
        return Stream.of(block.split("\n\n"));
    }

    private static byte[] bytes(String digits) {
        return HexFormat.of().parseHex(digits.replace(" ", ""));
    }

    /** The frame that a vector sends. */
    static byte[] request(String vector) {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        vector.lines().filter(line -> line.startsWith("> ")).forEach(line -> {
            int brace = line.indexOf('{');
            if (brace > 0) {
                frame.writeBytes(bytes(line.substring(2, brace)));
                frame.writeBytes(line.substring(brace).getBytes(StandardCharsets.UTF_8));
            } else {
                frame.writeBytes(bytes(line.substring(line.indexOf(' ', 2))));
            }
        });
        return frame.toByteArray();
    }

    /** Compares an answer with the one of a vector. */
    static void check(String vector, Wire.Answer answer) {
        vector.lines().filter(line -> line.startsWith("< ")).forEach(line -> {
            if (line.startsWith("< {")) {
                ((Map<?, ?>) JsonTree.parse(line.substring(2)))
                        .forEach((name, value) -> assertThat(answer.header().get(name))
                                .as("%s", name)
                                .isEqualTo(value));
            } else {
                String name = line.substring(2, line.indexOf(' ', 2));
                assertThat(answer.arrays().get(name)).isEqualTo(bytes(line.substring(line.indexOf(' ', 2))));
            }
        });
    }

    @ParameterizedTest
    @MethodSource("vectors")
    void answersAsThePageSays(String vector) throws IOException {
        try (Served served = new Served()) {
            served.send(request(vector));
            check(vector, served.receive());
        }
    }
}
