package dev.starling.peer.sums;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.loss.Logistic;
import dev.starling.method.Method;
import dev.starling.network.Topology;
import dev.starling.peer.policy.Policy;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Methods whose nodes exchange nothing but sums, and whose sums the sites' rules do not know. */
class UnknownSumsTest {

    private static final int SITES = 3;

    @TempDir
    private Path folder;

    private ClassLoader usual;
    private URLClassLoader withMethods;

    /** The methods are service providers of this class alone. */
    @BeforeEach
    void provideMethods() throws IOException {
        Path services = Files.createDirectories(folder.resolve("META-INF").resolve("services"));
        Files.write(
                services.resolve(Method.class.getName()),
                Stream.of(OneSumMethod.class.getDeclaredClasses())
                        .filter(OneSumMethod.class::isAssignableFrom)
                        .map(Class::getName)
                        .toList());
        usual = Thread.currentThread().getContextClassLoader();
        withMethods = new URLClassLoader(new URL[] {folder.toUri().toURL()}, usual);
        Thread.currentThread().setContextClassLoader(withMethods);
    }

    @AfterEach
    void withdrawMethods() throws IOException {
        Thread.currentThread().setContextClassLoader(usual);
        withMethods.close();
    }

    private MaskedNetwork network(String method) throws IOException {
        Dataset all = Generator.classification(SITES * 100, 4).seed(5).generate();
        List<Dataset> sites = IntStream.range(0, SITES)
                .mapToObj(site ->
                        all.picked(IntStream.range(100 * site, 100 * (site + 1)).toArray()))
                .toList();
        return new MaskedNetwork(
                Settings.of(new Logistic()).with(Setting.METHOD, method),
                Topology.named("complete").build(SITES, 1),
                sites,
                Policy.DEFAULT,
                true,
                folder);
    }

    private void requireNothingOfTrainingWasTold() throws IOException {
        for (int site = 0; site < SITES; site++) {
            assertThat(SumLedger.read(folder.resolve("ledger-" + site)))
                    .extracting(line -> line.fields().get("kind"))
                    .containsExactly("presence", "values");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"long-sum", "disguised-sum", "unannounced-sum"})
    void refusesASumThatTheMethodHasNotAnnounced(String method) throws IOException {
        assertThatThrownBy(network(method)::run)
                .hasMessageContaining("the method asks for a sum that it has not announced: mine, of kind ")
                .hasMessageContaining("nothing was sent");
        requireNothingOfTrainingWasTold();
    }

    @Test
    void refusesAnAnnouncedSumThatNoRuleKnows() throws IOException {
        MaskedNetwork network = network("unknown-sum");
        assertThatThrownBy(network::run).hasMessageContaining("its rules refuse to release more");
        assertThat(network.refusals())
                .isNotEmpty()
                .allMatch(why -> why.endsWith("a sum of kind other, mine, because no rule knows what it reveals"));
        requireNothingOfTrainingWasTold();
    }
}
