package dev.starling.peer.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.data.InvalidInputException;
import dev.starling.method.Method;
import dev.starling.network.Topology;
import dev.starling.peer.setup.SiteFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SiteConfigTest {

    private static final SiteFiles FILES = new SiteFiles(
            List.of("a", "b", "c", "d"),
            Topology.named("ring").build(4, 1),
            "run-1",
            List.of("a.example.org", "b.example.org", "c.example.org", "d.example.org"),
            7400,
            List.of("loss: logistic", "method: auto", "lambda: 1e-3", "gap: 1e-5", "seed: 9"));

    private static SiteConfig parse(String text) {
        return SiteConfig.parse(text, "b.yaml", Path.of("base"));
    }

    @Test
    void shouldReadTheFileThatIsWrittenForASite() {
        SiteConfig config = parse(FILES.text(1));
        assertThat(config.site()).isEqualTo("b");
        assertThat(config.node()).isEqualTo(1);
        assertThat(config.neighbours().keySet()).containsExactlyInAnyOrder(0, 2);
        assertThat(config.neighbours().get(2)).isEqualTo(new SiteConfig.Remote("c.example.org", 7402, "c"));
        assertThat(config.listen().getPort()).isEqualTo(7401);
        assertThat(config.training().lambda()).isEqualTo(1e-3);
        assertThat(config.training().seed()).isEqualTo(9);
        assertThat(config.training().tau()).isEmpty();
        assertThat(config.patience()).isEqualTo(Duration.ofMinutes(10));
        assertThat(config.monitoring()).isEmpty();
        assertThat(config.tls().key()).isEqualTo(Path.of("base", "keys", "b.key"));
    }

    @Test
    void shouldGiveAllSitesTheSameDigestOfTheNetwork() {
        assertThat(parse(FILES.text(0)).networkDigest())
                .isEqualTo(parse(FILES.text(3)).networkDigest())
                .isNotEqualTo(parse(FILES.text(0)
                                .replace("- [b, c]", "- [a, c]")
                                .replace("neighbours:\n", "neighbours:\n  c:\n    address: x:1\n"))
                        .networkDigest());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    lambda: 1e-3      | lamda: 1e-3          | unknown key 'training.lamda'; did you mean 'training.lambda'?
                    wait: 10m         | weit: 10m            | unknown key 'weit'; did you mean 'wait'?
                    lambda: 1e-3      | lambda: -1           | training.lambda is -1.0; it must be positive
                    lambda: 1e-3      | lambda: much         | training.lambda is 'much'; it must be a number
                    loss: logistic    | loss: logistik       | training.loss: unknown loss 'logistik'; did you mean 'logistic'?
                    method: auto      | method: newtn        | training.method: unknown method 'newtn'; did you mean 'newton'?
                    wait: 10m         | wait: soon           | wait is 'soon'; it must be a time such as
                    site: b           | site: x              | site is 'x'; it must be one of the sites
                    version: 1        | version: 2           | version is 2; this program reads version 1
                    keep: 2           | keep: 1              | checkpoints.keep is 1; it must be 2 to 100
                    c.example.org:7402| c.example.org        | must be HOST:PORT
                    - [b, c]          | - [b, e]             | unknown site 'e'
                    run: run-1        | run: a/b             | run is 'a/b'
                    """)
    void shouldNameTheKeyTheValueAndWhatWouldBeRight(String right, String wrong, String message) {
        assertThatThrownBy(() -> parse(FILES.text(1).replace(right, wrong)))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining(message);
    }

    @Test
    void shouldRefuseNewtonsMethodForALossWithKinksBeforeAnythingIsRead() {
        String text = FILES.text(1).replace("loss: logistic", "loss: hinge").replace("method: auto", "method: newton");
        assertThatThrownBy(() -> parse(text))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage("b.yaml: training.method: method newton cannot take the loss hinge, which has kinks; "
                        + "adfs can");
    }

    @Test
    void shouldChooseTheMethodByItselfUnlessTold() {
        assertThat(parse(FILES.text(1).replace("  method: auto\n", ""))
                        .training()
                        .method())
                .isEqualTo(Method.AUTO);
        assertThat(parse(FILES.text(1).replace("method: auto", "method: adfs"))
                        .training()
                        .method())
                .isEqualTo(Method.ADFS);
    }

    @ParameterizedTest
    @CsvSource({"auto, 7", "newton, 7", "adfs, 7", "auto, 6000", "newton, 6000", "adfs, 6000"})
    void shouldHaveRoomForTheLongestVectorOfEveryProblemThatIsAllowed(String method, int most) {
        SiteConfig.Training training = parse(FILES.text(1)
                        .replace("method: auto", "method: " + method)
                        .replace("# max-features: 1000000", "max-features: " + most))
                .training();
        int longest = IntStream.rangeClosed(1, most + 1)
                .flatMap(features -> DoubleStream.of(1, 1e3, 1e6)
                        .mapToInt(values -> training.solver(features, values).longestMessage(features)))
                .max()
                .orElseThrow();
        assertThat(training.longestVector()).isEqualTo(longest);
    }

    @Test
    void shouldNameTheLineOfATextThatIsNotYaml() {
        assertThatThrownBy(() -> parse("version: 1\nsite: [a\n"))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("b.yaml, line 3");
    }

    @Test
    void shouldRefuseAnEdgeWithoutAnAddress() {
        assertThatThrownBy(() -> parse(FILES.text(1).replace("  c:\n    address: c.example.org:7402\n", "")))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageContaining("neighbours has no 'c'");
    }

    @Test
    void shouldNotMakeObjectsOfTags() {
        assertThatThrownBy(() -> parse(FILES.text(1).replace("site: b", "site: !!java.net.URL [\"http://x\"]")))
                .isInstanceOf(InvalidInputException.class);
    }
}
