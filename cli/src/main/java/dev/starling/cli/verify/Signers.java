package dev.starling.cli.verify;

import dev.starling.data.InvalidInputException;
import dev.starling.internal.JsonObject;
import dev.starling.model.LinearModel;
import dev.starling.model.Signatures;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.keys.Authority;
import dev.starling.peer.keys.ModelStatement;
import dev.starling.peer.trust.Credentials;
import dev.starling.peer.trust.Printable;
import dev.starling.peer.trust.Trust;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The sites that signed a model, or should have.
 *
 * @param sites for each site, whether its signature is good, and with which key or why not
 * @param checked whether keys were checked against a site's file
 */
record Signers(Map<String, Finding> sites, boolean checked) {

    /** The verdict on a signature. */
    record Finding(boolean good, String text) {}

    /**
     * Checks the signatures in a model's file: against the file of one of the sites or, without one, only whether they
     * match the keys that come with them.
     */
    static Signers of(LinearModel model, Optional<Path> site) {
        Map<String, Finding> found = new LinkedHashMap<>();
        ModelStatement statement = ModelStatement.of(model);
        List<Signatures.Signer> signers = model.provenance().signatures().signers();
        if (site.isEmpty()) {
            for (Signatures.Signer signer : signers) {
                found.put(signer.site(), judged(() -> "with the key " + statement.signedBy(signer)));
            }
            return new Signers(found, false);
        }
        SiteConfig config = SiteConfig.read(site.get());
        Trust trust = new Trust(
                Credentials.certificates(Authority.readPublic(config.tls().authority()), "authority"), List.of());
        for (int node = 0; node < config.sites().size(); node++) {
            String name = config.sites().get(node);
            int number = node;
            found.put(name, judged(() -> {
                Signatures.Signer signer = signers.stream()
                        .filter(one -> one.site().equals(name))
                        .findFirst()
                        .orElseThrow(() -> new InvalidInputException("its signature is missing"));
                statement.require(signer, trust, config.pin(number), config.certificateName(number));
                return config.pin(number).isPresent() ? "with its pinned key" : "with a certificate of the authority";
            }));
        }
        return new Signers(found, true);
    }

    private interface EvaluationReport {
        String text();
    }

    private static Finding judged(EvaluationReport judgement) {
        try {
            return new Finding(true, judgement.text());
        } catch (InvalidInputException e) {
            return new Finding(false, e.getMessage());
        }
    }

    /** Whether no signature is wrong or missing. */
    boolean areGood() {
        return sites.values().stream().allMatch(Finding::good);
    }

    /** The verdicts, one line per site. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        sites.forEach((name, finding) -> lines.add((finding.good() ? "signed by site " : "NOT signed by site ")
                + Printable.of(name)
                + (finding.good() ? " " : ": ")
                + Printable.of(finding.text(), Integer.MAX_VALUE)
                + (finding.good() && !checked ? "; give a site's file with --site to check whose key that is" : "")));
        return lines;
    }

    void write(JsonObject json) {
        if (sites.isEmpty()) {
            return;
        }
        json.object(
                "signatures",
                object -> sites.forEach((name, finding) ->
                        object.with(name, (finding.good() ? "good: " : "WRONG: ") + finding.text())));
    }
}
