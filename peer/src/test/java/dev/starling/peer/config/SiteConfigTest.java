package dev.starling.peer.config;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.loss.Squared;
import dev.starling.network.Topology;
import dev.starling.peer.setup.SiteFiles;
import dev.starling.peer.transport.Proxy;
import dev.starling.peer.trust.KeyPin;
import dev.starling.settings.ClassWeighting;
import dev.starling.settings.Scaling;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
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
        return SiteReader.parse(text, "b.yaml", Path.of("base"));
    }

    @Test
    void refusesListsNestedThousandsDeep() {
        assertThatRefused(() -> parse("a: " + "[".repeat(5000) + "]".repeat(5000)))
                .hasMessageContaining("nested too deeply");
    }

    @Test
    void readsTheFileWrittenForASite() {
        SiteConfig config = parse(FILES.text(1));
        assertThat(config.site()).isEqualTo("b");
        assertThat(config.node()).isEqualTo(1);
        assertThat(config.neighbours().keySet()).containsExactlyInAnyOrder(0, 2);
        assertThat(config.neighbours().get(2))
                .isEqualTo(new SiteConfig.Remote(InetSocketAddress.createUnresolved("c.example.org", 7402), "c"));
        assertThat(config.listen().getPort()).isEqualTo(7401);
        assertThat(config.training().lambda()).isEqualTo(1e-3);
        assertThat(config.training().seed()).isEqualTo(9);
        assertThat(config.training().delay()).isEmpty();
        assertThat(config.patience())
                .isEqualTo(new SiteConfig.Patience(Duration.ofMinutes(10), Duration.ofMinutes(30)));
        assertThat(config.monitoring()).isEmpty();
        assertThat(config.tls().key()).isEqualTo(Path.of("base", "keys", "b.key"));
    }

    @Test
    void givesAllSitesTheSameDescriptionOfTheNetwork() {
        assertThat(parse(FILES.text(0)).networkText())
                .isEqualTo(parse(FILES.text(3)).networkText())
                .isNotEqualTo(parse(FILES.text(0)
                                .replace("- [b, c]", "- [a, c]")
                                .replace("neighbours:\n", "neighbours:\n  c:\n    address: x:1\n"))
                        .networkText());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    lambda: 1e-3       | lamda: 1e-3     | b.yaml: unknown key 'training.lamda'; did you mean 'training.lambda'? there are: training.loss, training.lambda, training.l1, training.lambda-path, training.l1-ratios, training.cv, training.cv-columns, training.cv-rule, training.method, training.gap, training.max-epochs, training.max-seconds, training.seed, training.tau, training.bias, training.intercept, training.scaling, training.precision, training.class-weights, training.holdout, training.standard-errors, training.heterogeneity, training.curves, training.proportional-hazards, training.labels, training.one-versus-rest, training.standardize, training.max-features
                    wait: 10m          | weit: 10m       | b.yaml: unknown key 'weit'; did you mean 'wait'? there are: version, site, run, listen, sites, edges, neighbours, keys, proxy, proxy-authority, tls, data, training, threads, state, register, checkpoints, wait, stall, monitoring, model, policy, change
                    lambda: 1e-3       | lambda: -1      | b.yaml: training.lambda -1.0 must be 0 or from 1e-60 to 1e45, for example 1e-4
                    lambda: 1e-3       | lambda: much    | b.yaml: training.lambda is 'much'; it must be a number
                    loss: logistic     | loss: logistik  | b.yaml: training: unknown loss 'logistik'; did you mean 'logistic'? there are: logistic, softmax, ordinal, cox, cox(breslow), squared, squared-hinge, smoothed-hinge, huber, binomial, binomial(probit), binomial(cloglog), quasi-binomial, poisson, quasi-poisson, negative-binomial, gamma, inverse-gaussian, tweedie, squared-epsilon-insensitive, hinge, absolute, epsilon-insensitive, quantile
                    method: auto       | method: newtn   | b.yaml: training: unknown method 'newtn'; did you mean 'newton'? there are: auto, newton, proximal-newton, multipliers, dual, adfs, ns-adfs, adfs-local, adfs-matchings, adfs-localised, adfs-varying
                    seed: 9            | seed: 1.5       | b.yaml: training.seed is '1.5'; it must be a whole number
                    seed: 9            | bias: -1        | b.yaml: training.bias -1.0 must be positive, for example 1, or 0 for none
                    seed: 9            | tau: -1         | b.yaml: training.tau -1.0 must be 0 or more, and finite
                    seed: 9            | max-features: 0 | b.yaml: training.max-features is 0; it must be between 1 and 100000000
                    seed: 9            | labels: [spam, ham]  | b.yaml: training.labels is 'spam'; it must be a number
                    seed: 9            | class-weights: {1: 0} | b.yaml: training: class weight 0.0 of label 1.0 must be from 1e-60 to 1e45
                    seed: 9            | class-weights: {a: 1} | b.yaml: training.class-weights is 'a'; it must be a number
                    seed: 9            | scaling: half   | b.yaml: training: unknown scaling 'half'; there are: none, scale, standardize
                    seed: 9            | standardize: 2  | b.yaml: training.standardize is '2'; it must be true or false
                    seed: 9            | max-seconds: 0  | b.yaml: training.max-seconds 0.0 must be positive
                    seed: 9            | labels: 0       | b.yaml: training.labels must be a list, such as [a, b]
                    gap: 1e-5          | gap: 0          | b.yaml: training.gap 0.0 must be positive, for example 1e-6
                    gap: 1e-5          | gap: 1e-15      | b.yaml: training.gap 1.0E-15 is less than double precision can prove; use 1.0E-14 or more
                    wait: 10m          | wait: soon      | b.yaml: wait is 'soon'; it must be a time such as 500ms, 30s, 10m or 2h
                    wait: 10m          | threads: 0      | b.yaml: threads is 0; it must be from 1 to 1024
                    wait: 10m          | threads: all    | b.yaml: threads is 'all'; it must be a whole number
                    site: b            | site: x         | b.yaml: site is 'x'; it must be one of the sites [a, b, c, d]
                    site: b            | site: [b]       | b.yaml: site must be a single value
                    [a, b, c, d]       | [a, b, c, c]    | b.yaml: sites names a site twice
                    [a, b, c, d]       | []              | b.yaml: sites is missing; it must list all sites, such as [a, b, c]
                    - [b, c]           | - [b, c, d]     | b.yaml: edges holds [b, c, d]; each must be a pair, such as [a, b]
                    - [b, c]           | - [d, b]        | b.yaml: neighbours has no address for 'd', to which there is an edge; give one
                    - [b, c]           | - [a, c]        | b.yaml: neighbours has 'c', to which there is no edge
                    - [b, c]           | - [b, e]        | unknown site 'e'; there are: a, b, c, d
                    c.example.org:7402 | c.example.org   | b.yaml: neighbours.c.address is 'c.example.org'; it must be HOST:PORT, such as 192.0.2.7:7400
                    version: 1         | version: 2      | b.yaml: version is 2; this program reads version 1
                    run: run-1         | run: a/b        | b.yaml: run is 'a/b'; it must be 1 to 64 letters, digits, dots, hyphens and underscores, the first of which is a letter or digit
                    run: run-1         | run: ..         | b.yaml: run is '..'; it must be 1 to 64 letters, digits, dots, hyphens and underscores, the first of which is a letter or digit
                    run: run-1         | run: "a\\e[2J" | b.yaml: run is 'a?[2J'; it must be 1 to 64 letters, digits, dots, hyphens and underscores, the first of which is a letter or digit
                    file: b.libsvm     | format: parquet | unknown data format 'parquet'; there are: auto, libsvm, csv
                    file: b.libsvm     | format: csv     | b.yaml: data.file is missing; it must be given
                    state: state-b     | model: m.json   | b.yaml, line 90: this is not YAML: found duplicate key model
                    keep: 2            | keep: 1         | b.yaml: checkpoints.keep is 1; it must be 2 to 100, so that one is left if the newest is damaged
                    megabytes: 64      | megabytes: 0    | b.yaml: checkpoints.megabytes is 0; it must be between 1 and 100000
                    """)
    void namesTheKeyTheValueAndARemedy(String right, String wrong, String message) {
        assertThatRefused(() -> parse(FILES.text(1).replace(right, wrong))).hasMessage(message);
    }

    @Test
    void refusesNewtonsMethodForALossWithKinksBeforeReadingData() {
        String text = FILES.text(1).replace("loss: logistic", "loss: hinge").replace("method: auto", "method: newton");
        assertThatRefused(() -> parse(text))
                .hasMessage(
                        "b.yaml: training.method newton cannot take the loss hinge, which has kinks; " + "adfs can");
    }

    @Test
    void choosesTheMethodUnlessOneIsGiven() {
        assertThat(parse(FILES.text(1).replace("  method: auto\n", ""))
                        .training()
                        .method())
                .isEqualTo("auto");
        assertThat(parse(FILES.text(1).replace("method: auto", "method: adfs"))
                        .training()
                        .method())
                .isEqualTo("adfs");
    }

    @Test
    void readsEveryTrainingSetting() {
        Settings settings = Settings.of(new Squared())
                .with(Setting.LAMBDA, 1e-3)
                .with(Setting.L1, 1e-5)
                .with(Setting.METHOD, "adfs")
                .with(Setting.GAP, 1e-5)
                .with(Setting.MAX_EPOCHS, 70.0)
                .with(Setting.MAX_SECONDS, 60.0)
                .with(Setting.SEED, 9L)
                .with(Setting.TAU, OptionalDouble.of(30))
                .with(Setting.BIAS, 1.0)
                .with(Setting.SCALING, Scaling.SCALE)
                .with(Setting.CLASS_WEIGHTS, ClassWeighting.of(Map.of(-1.0, 0.5, 1.0, 2.5)))
                .with(Setting.LABELS, List.of(-1.0, 1.0));
        String written = FILES.text(1).replaceAll("(?m)^  (loss|method|lambda|gap|seed): .*\\R", "");
        StringBuilder lines = new StringBuilder("training:\n");
        settings.toMap()
                .forEach((key, value) -> lines.append("  ")
                        .append(key)
                        .append(key.equals("labels") ? ": [" + value + "]" : ": " + value)
                        .append('\n'));
        assertThat(parse(written.replace("training:\n", lines)).training()).isEqualTo(settings);
        assertThat(parse(FILES.text(1).replace("  seed: 9\n", "  class-weights: {-1: 0.5, 1: 2.5}\n"))
                        .training()
                        .classWeights())
                .isEqualTo(settings.classWeights());
    }

    @ParameterizedTest
    @CsvSource({"standardize: true, STANDARDIZE", "standardize: false, NONE", "scaling: scale, SCALE"})
    void readsHowFeaturesAreScaled(String line, Scaling scaling) {
        assertThat(parse(FILES.text(1).replace("seed: 9", line)).training().scaling())
                .isEqualTo(scaling);
    }

    @Test
    void refusesStandardizeBesideScaling() {
        assertThatRefused(() -> parse(FILES.text(1).replace("seed: 9", "standardize: true\n  scaling: scale")))
                .hasMessage("b.yaml: training.standardize and training.scaling are both given; leave one out");
    }

    @Test
    void namesTheLineThatIsNotYaml() {
        assertThatRefused(() -> parse("version: 1\nsite: [a\n"))
                .hasMessage("b.yaml, line 3: this is not YAML: expected ',' or ']', but got <stream end>");
    }

    @Test
    void refusesAnEdgeWithoutAnAddress() {
        assertThatRefused(() -> parse(FILES.text(1).replace("  c:\n    address: c.example.org:7402\n", "")))
                .hasMessage("b.yaml: neighbours has no address for 'c', to which there is an edge; give one");
    }

    @Test
    void readsThePublicKeysOfAllSites() {
        String digits = "0123456789abcdef".repeat(4);
        String keys = "keys: {a: " + digits + ", b: " + digits + ", c: " + digits + ", d: " + digits + "}\n";
        SiteConfig config = parse(FILES.text(1) + keys);
        assertThat(config.pin(3)).contains(new KeyPin(digits));
        assertThat(config.networkText())
                .contains(digits)
                .isNotEqualTo(parse(FILES.text(1)).networkText());
        assertThatThrownBy(() -> parse(FILES.text(1) + keys.replace(", c: " + digits, "")))
                .hasMessage("b.yaml: keys has no key for [c]; pin the keys of all sites or of none");
        assertThatThrownBy(() -> parse(FILES.text(1) + keys.replace("b: 0", "b: X")))
                .hasMessageContaining("it must be 64 lower-case hexadecimal digits");
    }

    @Test
    void readsAProxyAndNeedsAnAddressToListenOn() {
        assertThat(parse(FILES.text(1) + "proxy: proxy.example.org:3128\n")
                        .proxy()
                        .orElseThrow()
                        .address()
                        .getPort())
                .isEqualTo(3128);
        Proxy asks = parse(FILES.text(1) + "proxy: 'me:p@ss:word@proxy.example.org:3128'\n")
                .proxy()
                .orElseThrow();
        assertThat(asks.login()).contains("me:p@ss:word");
        assertThat(asks.address().getHostString()).isEqualTo("proxy.example.org");
        assertThat(asks).hasToString("proxy.example.org:3128");
        assertThatThrownBy(() -> parse(FILES.text(1) + "proxy: me@proxy.example.org:3128\n"))
                .hasMessage("b.yaml: proxy has an @, but no USER:PASSWORD before it");
        assertThatThrownBy(() -> parse(FILES.text(1).replaceAll("(?m)^listen: .*$", "")))
                .hasMessage("b.yaml: listen is missing; give an address");
    }

    @Test
    void takesTheCertificateFromTheKeyStore() {
        SiteConfig config = parse(FILES.text(1)
                .replace("  certificate: keys/b.pem\n", "")
                .replace("keys/b.key", "b.p12\n  password: b.password\n  revoked: r.pem"));
        assertThat(config.tls().certificate()).isEqualTo(Path.of("base", "b.p12"));
        assertThat(config.tls().password()).isPresent();
        assertThat(config.tls().revoked()).contains(Path.of("base", "r.pem"));
    }

    @Test
    void doesNotCreateObjectsFromYamlTags() {
        assertThatRefused(() -> parse(FILES.text(1).replace("site: b", "site: !!java.net.URL [\"http://x\"]")));
    }
}
