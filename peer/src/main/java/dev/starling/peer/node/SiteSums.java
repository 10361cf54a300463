package dev.starling.peer.node;

import dev.starling.data.InvalidInputException;
import dev.starling.internal.Version;
import dev.starling.job.Holdout;
import dev.starling.job.Scaling;
import dev.starling.model.LinearModel;
import dev.starling.model.Signatures;
import dev.starling.node.Exchange;
import dev.starling.node.SumGuard;
import dev.starling.peer.bulletin.Bulletin;
import dev.starling.peer.bulletin.Presence;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.keys.ModelStatement;
import dev.starling.peer.keys.SiteSignature;
import dev.starling.peer.policy.ColumnCheck;
import dev.starling.peer.policy.Policy;
import dev.starling.peer.policy.RunRegister;
import dev.starling.peer.policy.SiteRules;
import dev.starling.peer.sums.MaskedSums;
import dev.starling.peer.sums.ReleasedSums;
import dev.starling.peer.sums.SessionSecrets;
import dev.starling.peer.sums.SiteFacts;
import dev.starling.peer.sums.SumLedger;
import dev.starling.peer.sums.SumSession;
import dev.starling.peer.sums.Transcript;
import dev.starling.peer.transport.Credentials;
import dev.starling.problem.LocalProblem;
import java.io.Closeable;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** How a site hides its sums in a run: secrets, rules, ledger and session, put together. */
final class SiteSums implements Closeable {

    /** The file in a run's state that holds what only this site knows of the run. */
    static final String SECRETS = "session.secret";

    /** The file in a run's state that holds what all sites were told together. */
    static final String TRANSCRIPT = "totals";

    /** What the ledger's note about the site's rules is called. */
    static final String POLICY = "policy";

    /** The file in a run's state that lists what has left the site. */
    static final String LEDGER = "ledger";

    private final SiteConfig config;
    private final Site site;
    private final RunRegister register;
    private final Path folder;
    private final Path secretsFile;
    private final Presence presence;
    private final SumSession session;
    private final SumLedger ledger;
    private final SiteRules rules;
    private final MaskedSums guard;
    private Transcript transcript;
    private long results;
    private boolean forgotten;

    SiteSums(
            SiteConfig config,
            Site site,
            Credentials credentials,
            IntFunction<LocalProblem> problems,
            Consumer<String> refusals)
            throws IOException {
        this.folder = config.state().resolve(config.run());
        this.secretsFile = folder.resolve(SECRETS);
        ColumnCheck.require(site.rows(), config.training().loss().isClassification(), config.policy());
        this.register = RunRegister.open(config.state());
        register.require(
                config.run(),
                config.sites(),
                site.rows(),
                config.policy(),
                config.change().isPresent());
        this.config = config;
        this.site = site;
        SessionSecrets secrets = SessionSecrets.open(secretsFile);
        this.forgotten = secrets.areForgotten();
        SiteFacts facts = facts(config, site, secrets, Version.current());
        this.presence = new Presence(
                Version.current(), config.training().toMap(), config.data().study(), facts.committed());
        List<SumSession.Member> members = IntStream.range(0, config.sites().size())
                .mapToObj(node -> new SumSession.Member(config.certificateName(node), config.pin(node)))
                .toList();
        this.session = new SumSession(members, new SiteSignature(credentials), secrets, facts);
        this.ledger = SumLedger.open(folder.resolve(LEDGER), secrets.ledgerKey());
        this.rules = new SiteRules(config.policy(), site.rows(), problems);
        this.guard = new MaskedSums(
                session::known, rules, ledger, config.policy().masks() ? session::mask : MaskedSums.NO_MASKS, refusals);
    }

    /** What a site says of itself in a run, by its file and rows. */
    static SiteFacts facts(SiteConfig config, Site site, SessionSecrets secrets, String program) {
        return secrets.facts(
                program,
                config.run(),
                config.networkText(),
                config.trainingText() + "\n" + site.rows().names(),
                config.node(),
                site.rows(),
                config.policy()
                        .limits(
                                site.rows().nonZeros(),
                                site.rows().features(),
                                config.training().scaling() != Scaling.NONE,
                                Holdout.numbersToJudge(config.training(), site.rows())
                                        + site.numbersToFinish()
                                        + config.training()
                                                .path()
                                                .numbersOfFolds(config.sites().size())));
    }

    /** What the site says of itself; of its rows a commitment, from which nothing can be guessed. */
    Presence presence() {
        return presence;
    }

    /** What has left the site so far, by its ledger. */
    List<ReleasedSums> told() {
        return ledger.told();
    }

    SumGuard guard() {
        return guard;
    }

    SumSession session() {
        return session;
    }

    /** Tells all others who this site is, and hears who they are. */
    void introduce(Bulletin bulletin) {
        bulletin.introduce(session, session.ownFacts());
    }

    /**
     * Once everyone's facts are known: that all sites' rules allow the run, which is then written down.
     *
     * @throws InvalidInputException saying which does not
     */
    void begin() throws IOException {
        session.requireAgreement();
        Policy.requireEnoughSites(session.known().limits());
        ledger.note(POLICY, config.policy().toString());
        transcript = Transcript.open(folder.resolve(TRANSCRIPT), session.known(), results);
        register.begin(
                config.run(), config.sites(), site.rows(), config.policy().mostGradients());
    }

    /** Signs the model that the run has ended with, unless this was done before a restart. */
    void attest(LinearModel model, Bulletin bulletin) {
        bulletin.attest(session.attest(statement(model).encode()));
    }

    private ModelStatement statement(LinearModel model) {
        return new ModelStatement(
                ModelStatement.hex(session.id()),
                ModelStatement.hex(guard.digest()),
                model.hash(),
                model.provenance().certificate());
    }

    /**
     * The model with the signatures of all sites that have signed it.
     *
     * @param otherwise told the number of a site that has signed another
     */
    LinearModel signed(LinearModel model, Bulletin bulletin, List<String> sites, IntConsumer otherwise) {
        ModelStatement statement = statement(model);
        List<Signatures.Signer> signers = new ArrayList<>();
        List<Optional<byte[]>> bodies = bulletin.attestations();
        for (int node = 0; node < bodies.size(); node++) {
            if (bodies.get(node).isPresent()) {
                SumSession.Attestation said =
                        SumSession.attestation(bodies.get(node).get());
                if (Arrays.equals(said.content(), statement.encode())) {
                    signers.add(ModelStatement.signer(sites.get(node), said.signature(), said.chain()));
                } else {
                    otherwise.accept(node);
                }
            }
        }
        return model.with(new Signatures(statement.session(), statement.history(), signers));
    }

    /** Takes down what all sites are told. */
    void heard(Exchange result) {
        transcript.add(result.payload(), result.length());
        results++;
    }

    void save(DataOutput out) throws IOException {
        guard.save(out);
        out.writeLong(results);
    }

    void restore(DataInput in) throws IOException {
        guard.restore(in);
        results = in.readLong();
    }

    /** All sites have finished: nobody needs the keys any more. */
    void forget() throws IOException {
        if (!forgotten) {
            register.giveBack(config.policy().mostGradients() - (long) rules.passes());
            SessionSecrets.forget(secretsFile);
            forgotten = true;
        }
    }

    @Override
    public void close() throws IOException {
        ledger.close();
        if (transcript != null) {
            transcript.close();
        }
    }
}
