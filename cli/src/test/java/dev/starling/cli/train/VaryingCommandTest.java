package dev.starling.cli.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.cli.Cli;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Training on a graph whose edges change from round to round. */
class VaryingCommandTest {

    @TempDir
    private static Path folder;

    private static Path data;

    @BeforeAll
    static void makeData() {
        data = folder.resolve("data.txt");
        Cli.run("generate", data, "--rows 300 --features 6");
    }

    private static Cli train(String options, Path model) {
        return Cli.run("train", data, "--nodes 6 --topology ring --lambda 1e-2 -q --model", model, options);
    }

    @ParameterizedTest
    @ValueSource(strings = {"random:0.4", "random:1", "matchings", "pairs"})
    void itIsCertifiedAndTheSameOnEveryRuntime(String rule) throws Exception {
        Path threads = folder.resolve("threads.json");
        Path simulated = folder.resolve("simulated.json");
        Cli cli = train("--varying " + rule, threads);
        assertThat(cli.code()).as(cli.err()).isZero();
        assertThat(train("--runtime simulator --varying " + rule, simulated).code())
                .isZero();
        assertThat(weights(simulated)).isEqualTo(weights(threads));
        assertThat(Files.readString(threads)).contains("\"adfs-varying:" + rule + "\"");
        Cli.ok("verify", threads, data);
    }

    private static String weights(Path model) throws Exception {
        String text = Files.readString(model);
        int start = text.indexOf("\"weights\"");
        assertThat(start).isNotNegative();
        return text.substring(start, text.indexOf(']', start));
    }

    @ParameterizedTest
    @CsvSource({"newton", "ns-adfs", "adfs-local", "proximal-newton"})
    void methodsThatNeedAllEdgesAreRefusedByName(String method) {
        Cli cli = train("--varying pairs --method " + method, folder.resolve("none.json"));
        assertThat(cli.code()).isNotZero();
        assertThat(cli.err()).contains("method " + method).contains("--varying").contains("adfs can");
    }

    @Test
    void unknownRulesAndProbabilitiesAreRefused() {
        Path none = folder.resolve("none.json");
        assertThat(train("--varying sometimes", none).err())
                .contains("unknown rule 'sometimes'")
                .contains("matchings");
        assertThat(train("--varying random:2", none).err()).contains("at most 1");
        assertThat(train("--varying random:often", none).err()).contains("such as random:0.5");
        assertThat(train("--method adfs-matchings:pairs", none).err()).contains("unknown method");
    }

    @Test
    void lossesWithKinksAreRefused() {
        Cli cli = train("--loss hinge --varying pairs", folder.resolve("none.json"));
        assertThat(cli.code()).isNotZero();
        assertThat(cli.err()).contains("kinks");
    }
}
