package dev.starling.peer.node;

import dev.starling.data.InvalidInputException;
import dev.starling.job.Holdout;
import dev.starling.node.Exchange;
import dev.starling.node.State;
import dev.starling.node.Stateful;
import dev.starling.node.SumGuard;
import dev.starling.peer.bulletin.Bulletin;
import dev.starling.peer.bulletin.Presence;
import dev.starling.peer.cohort.CohortRegister;
import dev.starling.peer.cohort.RunCohort;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.keys.SiteSignature;
import dev.starling.peer.policy.ColumnCheck;
import dev.starling.peer.policy.Disclosure;
import dev.starling.peer.policy.Policy;
import dev.starling.peer.policy.SiteRules;
import dev.starling.peer.policy.SlopesAccount;
import dev.starling.peer.sums.MaskedSums;
import dev.starling.peer.sums.ReleasedSums;
import dev.starling.peer.sums.SessionSecrets;
import dev.starling.peer.sums.SiteFacts;
import dev.starling.peer.sums.SumLedger;
import dev.starling.peer.sums.SumSession;
import dev.starling.peer.sums.Transcript;
import dev.starling.peer.trust.Credentials;
import dev.starling.problem.LocalProblem;
import dev.starling.settings.Settings;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** A site's part in the hidden sums of a run: its secrets, rules, ledger and session. */
final class SiteSums implements Closeable, Stateful {

    /** The file in a run's state directory that holds this site's secrets. */
    static final String SECRETS = "session.secret";

    /** The file in a run's state directory that holds what all sites received. */
    static final String TRANSCRIPT = "totals";

    /** The name of the ledger's note about the site's rules. */
    static final String POLICY = "policy";

    /** The file in a run's state directory that lists what has left the site. */
    static final String LEDGER = RunCohort.LEDGER;

    private final SiteConfig config;
    private final Site site;
    private final RunCohort cohort;
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
        this.cohort = site.cohort(config);
        SlopesAccount account = cohort.require(() -> new SiteSignature(credentials));
        this.config = config;
        this.site = site;
        SessionSecrets secrets = SessionSecrets.open(secretsFile);
        this.forgotten = secrets.areForgotten();
        SiteFacts facts = facts(config, site, secrets);
        this.presence = new Presence(config.training().toMap(), config.data().study(), facts.committed());
        List<SumSession.Member> members = IntStream.range(0, config.sites().size())
                .mapToObj(node -> new SumSession.Member(config.certificateName(node), config.pin(node)))
                .toList();
        this.session = new SumSession(members, new SiteSignature(credentials), secrets, facts);
        this.ledger = SumLedger.open(folder.resolve(LEDGER), secrets.ledgerKey());
        this.rules = new SiteRules(config.policy(), config.training(), site.rows(), problems, account);
        this.guard = new MaskedSums(
                session::known,
                rules,
                ledger,
                config.policy().masks() ? session::mask : MaskedSums.NO_MASKS,
                session,
                refusals);
    }

    /** The facts that a site states about itself in a run, from its file and rows. */
    static SiteFacts facts(SiteConfig config, Site site, SessionSecrets secrets) {
        return secrets.facts(
                config.run(),
                config.networkText(),
                config.trainingText() + "\n" + site.rows().names(),
                config.node(),
                site.rows(),
                site.cells().digest(),
                limits(config, site));
    }

    /** The limits that the others must know. */
    static Map<String, Double> limits(SiteConfig config, Site site) {
        Settings training = config.training();
        return config.policy()
                .limits(
                        site.rows().nonZeros(),
                        site.rows().features(),
                        training.gathersMoments(),
                        Holdout.numbersToEvaluate(training, site.rows())
                                + site.numbersToFinish()
                                + Disclosure.numbersOfErrors(
                                        training, site.rows(), config.sites().size())
                                + training.folds()
                                        .numbers(
                                                config.sites().size(),
                                                training.path().size()));
    }

    /** What the site announces about itself; about its rows, only a commitment that reveals nothing. */
    Presence presence() {
        return presence;
    }

    /** What has left the site so far, according to its ledger. */
    List<ReleasedSums> released() {
        return ledger.released();
    }

    SumGuard guard() {
        return guard;
    }

    SumSession session() {
        return session;
    }

    /** Announces this site's facts to all others, and receives theirs. */
    void introduce(Bulletin bulletin) {
        bulletin.introduce(session);
        bulletin.count(guard::opened, ledger::sums);
    }

    /**
     * Checks, once the facts of all sites are known, that their rules allow the run, and records it.
     *
     * @throws InvalidInputException naming the rule that does not
     */
    void begin() throws IOException {
        session.requireAgreement();
        Policy.requireEnoughSites(session.known().limits());
        ledger.note(POLICY, config.policy().toString());
        transcript = Transcript.open(folder.resolve(TRANSCRIPT), session.known(), results);
        ledger.note(RunCohort.NOTE, cohort.begin());
    }

    /** Shows all others what this site was told, for a run that ends because somebody broke the protocol. */
    void testify(Bulletin bulletin) {
        if (session.isKnown()) {
            bulletin.testify(session.testify(guard.told()));
        }
    }

    /** Says what follows from what sites have shown that they were told: who lied, if that can be told. */
    String verdict(List<Optional<byte[]>> testimonies) {
        if (!session.isKnown() || guard.opened() == 0) {
            return "";
        }
        List<Integer> two = session.toldDifferently(testimonies);
        if (!two.isEmpty()) {
            return "; site " + config.sites().get(0) + " lied: it has signed different totals for site "
                    + config.sites().get(two.get(0)) + " and for site "
                    + config.sites().get(two.get(1));
        }
        List<String> silent = IntStream.range(0, testimonies.size())
                .filter(node -> testimonies.get(node).isEmpty())
                .mapToObj(config.sites()::get)
                .toList();
        return silent.isEmpty()
                ? "; all sites were told the same " + guard.opened()
                        + " totals, so whose part was wrong is for an audit to say"
                : "; site " + String.join(", ", silent) + " did not show which totals it was told";
    }

    /** The digest of all sums so far. */
    byte[] history() {
        return guard.digest();
    }

    /** Records a result that all sites receive. */
    void record(Exchange result) {
        transcript.add(result.payload(), result.length());
        results++;
    }

    @Override
    public void state(State s) throws IOException {
        guard.state(s);
        results = s.number(results);
    }

    /** Deletes the secrets, once all sites have finished and nobody needs the keys any more. */
    void forget() throws IOException {
        if (!forgotten) {
            cohort.released(
                    new CohortRegister.Released(
                            rules.passes(),
                            rules.curvatures(),
                            rules.numbers(),
                            site.rows().nonZeros(),
                            rules.account().largest(),
                            rules.account().fewestApart()),
                    rules.account().added());
            if (!config.policy().audit()) {
                SessionSecrets.forget(secretsFile);
            }
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
