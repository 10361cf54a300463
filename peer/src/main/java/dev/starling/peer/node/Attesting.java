package dev.starling.peer.node;

import dev.starling.model.LinearModel;
import dev.starling.model.Signatures;
import dev.starling.peer.keys.ModelStatement;
import dev.starling.peer.sums.SumSession;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The signatures of all sites under the model with which a run has ended.
 *
 * @param session the session in which the model was trained
 * @param history returns the digest of all sums of the run
 * @param attestations returns what each site has signed, as far as it is known
 * @param sites the names of all sites
 */
record Attesting(
        SumSession session,
        Supplier<byte[]> history,
        Supplier<List<Optional<byte[]>>> attestations,
        List<String> sites) {

    /** This site's signature under the model. */
    byte[] sign(LinearModel model) {
        return session.attest(statement(model).encode());
    }

    private ModelStatement statement(LinearModel model) {
        return new ModelStatement(
                ModelStatement.hex(session.id()),
                ModelStatement.hex(history.get()),
                model.hash(),
                model.provenance().certificate());
    }

    /**
     * Checks that no site has signed anything but this model and the history of sums that led to it.
     *
     * @throws PeerStoppedException naming the sites that have
     */
    void requireAgreement(LinearModel model) {
        byte[] own = statement(model).encode();
        List<Optional<byte[]>> bodies = attestations.get();
        List<String> others = IntStream.range(0, bodies.size())
                .filter(node -> bodies.get(node)
                        .filter(body ->
                                !Arrays.equals(SumSession.attestation(body).content(), own))
                        .isPresent())
                .mapToObj(sites::get)
                .toList();
        if (!others.isEmpty()) {
            throw PeerStoppedException.fault(
                    "site " + String.join(", ", others) + " has signed another result or other totals than this one:"
                            + " somebody has told different sites different things. No model was written",
                    null);
        }
    }

    /** Returns the model with the signatures of all sites. */
    LinearModel signed(LinearModel model) {
        ModelStatement statement = statement(model);
        List<Signatures.Signer> signers = new ArrayList<>();
        List<Optional<byte[]>> bodies = attestations.get();
        for (int node = 0; node < bodies.size(); node++) {
            if (bodies.get(node).isPresent()) {
                SumSession.Attestation attestation =
                        SumSession.attestation(bodies.get(node).get());
                signers.add(ModelStatement.signer(sites.get(node), attestation.signature(), attestation.chain()));
            }
        }
        return model.with(new Signatures(statement.session(), statement.history(), signers));
    }
}
