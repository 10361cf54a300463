package dev.starling.peer.node;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.certificate.Certificate;
import dev.starling.data.Generator;
import dev.starling.model.LinearModel;
import dev.starling.model.Signatures;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.keys.Authority;
import dev.starling.peer.keys.ModelStatement;
import dev.starling.peer.trust.Credentials;
import dev.starling.peer.trust.KeyPin;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The model that sites end with carries the signature of each of them. */
class SignedModelsTest {

    @TempDir
    private Path directory;

    @Test
    void everyModelHoldsTheSignaturesOfAllSites() throws Exception {
        List<String> training = List.of("lambda: 1e-2", "gap: 1e-4", "tau: 30", "method: newton");
        try (ProcessNetwork network = new ProcessNetwork(directory, "line", 3, training)
                .with(Generator.classification(240, 6).noise(0.2).seed(4).generate(), UnaryOperator.identity())) {
            List<PeerReport> reports = PeerTest.run(network);
            Path file = directory.resolve("model.json");
            reports.get(2).fit().model().save(file);
            LinearModel read = LinearModel.load(file);
            assertThat(read.provenance().signatures())
                    .isEqualTo(reports.get(2).fit().model().provenance().signatures());
            for (PeerReport report : reports) {
                assertSignedByAll(report.fit().model(), network);
            }
            assertSignedByAll(read, network);
            assertAlterationsAreNoticed(read, network);
        }
    }

    private static Credentials credentials(ProcessNetwork network, int site) {
        return SiteConfig.read(network.yaml(site)).tls().load();
    }

    private static Optional<KeyPin> pin(ProcessNetwork network, int site) {
        return Optional.of(KeyPin.of(credentials(network, site).certificate()));
    }

    private static void assertSignedByAll(LinearModel model, ProcessNetwork network) {
        List<Signatures.Signer> signers = model.provenance().signatures().signers();
        assertThat(signers).extracting(Signatures.Signer::site).isEqualTo(network.sites);
        for (int k = 0; k < 3; k++) {
            int site = k;
            assertThatCode(() -> ModelStatement.of(model)
                            .require(
                                    signers.get(site),
                                    credentials(network, 0).trust(),
                                    pin(network, site),
                                    network.sites.get(site)))
                    .doesNotThrowAnyException();
        }
    }

    private static void assertAlterationsAreNoticed(LinearModel model, ProcessNetwork network) {
        Signatures signatures = model.provenance().signatures();
        Signatures.Signer first = signatures.signers().get(0);
        Certificate proven = model.provenance().certificate();
        Certificate better =
                new Certificate(proven.objective(), proven.objective(), 0, proven.steps(), proven.epochs());
        Certificate higher = new Certificate(
                proven.objective(),
                proven.dual(),
                proven.error(),
                proven.scale(),
                Math.nextUp(proven.bound()),
                proven.steps(),
                proven.epochs());
        ModelStatement said = ModelStatement.of(model);
        for (ModelStatement altered : List.of(
                new ModelStatement(said.session(), said.history(), said.modelHash(), better),
                new ModelStatement(said.session(), said.history(), said.modelHash(), higher),
                new ModelStatement(
                        said.session(), said.history(), said.modelHash().replace('a', 'b'), proven),
                new ModelStatement(said.session(), said.session(), said.modelHash(), proven),
                new ModelStatement(said.history(), said.history(), said.modelHash(), proven))) {
            assertThatRefused(
                            () -> altered.require(first, credentials(network, 0).trust(), pin(network, 0), "site-0"))
                    .hasMessageContaining("does not match");
            assertThatRefused(() -> altered.signedBy(first));
        }
        // Another site's signature under this one's name, and the authority's word for another key.
        assertThatThrownBy(() -> said.require(
                        signatures.signers().get(1), credentials(network, 0).trust(), pin(network, 0), "site-0"))
                .hasMessageContaining("not the name site-0");
        assertThatThrownBy(() -> said.require(first, credentials(network, 0).trust(), pin(network, 1), "site-0"))
                .hasMessageContaining("is pinned");
        Credentials stranger = Authority.create(Instant.now(), Duration.ofDays(1))
                .issue("site-0", Instant.now(), Duration.ofDays(1))
                .credentials();
        assertThatThrownBy(() -> said.require(first, stranger.trust(), pin(network, 0), "site-0"))
                .hasMessageContaining("not signed by an authority");
    }
}
