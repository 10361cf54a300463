package dev.starling.peer.setup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.network.Network;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.policy.Policy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SiteFilesTest {

    private static final Pattern RULE = Pattern.compile("(?m)^  # ([a-z-]+: (?:[0-9.]+|all) +#)");

    private static SiteFiles files(Optional<String> study) {
        return new SiteFiles(
                List.of("a", "b", "c"),
                Network.of(3, new int[][] {{0, 1}, {1, 2}}),
                "first",
                List.of("localhost", "10.0.0.2", "10.0.0.3"),
                7400,
                List.of("loss: logistic"),
                List.of(),
                study);
    }

    private static final SiteFiles FILES = files(Optional.empty());

    private static SiteConfig read(Path folder, String text) throws IOException {
        Path file = folder.resolve("site.yaml");
        Files.writeString(file, text);
        return SiteConfig.read(file);
    }

    @Test
    void theNumbersThatAFileShowsForTheRulesAreTheirDefaults(@TempDir Path folder) throws IOException {
        String text = FILES.text(1);
        String rules = text.substring(text.indexOf("policy:"));
        assertThat(RULE.matcher(rules).results()).hasSize(10);

        String given = text.replace(rules, RULE.matcher(rules).replaceAll("  $1"));
        assertThat(read(folder, given).policy()).isEqualTo(Policy.DEFAULT);
    }

    @Test
    void nothingIsLeftToFillInForSitesWithAndWithoutAStudy(@TempDir Path folder) throws IOException {
        for (int node = 0; node < 3; node++) {
            assertThat(FILES.text(node)).doesNotContain("@");
            assertThat(files(Optional.of("study.yaml")).text(node))
                    .doesNotContain("@", "intercept")
                    .contains("study: study.yaml");
            assertThat(read(folder, FILES.text(node)).node()).isEqualTo(node);
        }
    }
}
