package dev.starling.peer.sums;

import dev.starling.data.Dataset;
import dev.starling.data.keys.RowKeys;
import dev.starling.job.JobRules;
import dev.starling.job.NodeRows;
import dev.starling.job.PlanningPhase;
import dev.starling.job.TrainingJob;
import dev.starling.job.TrainingListener;
import dev.starling.model.LinearModel;
import dev.starling.network.Network;
import dev.starling.node.Collectives;
import dev.starling.node.NodeProgram;
import dev.starling.node.ReleaseLimits;
import dev.starling.node.SumGuard;
import dev.starling.peer.keys.Authority;
import dev.starling.peer.keys.SiteSignature;
import dev.starling.peer.policy.Policy;
import dev.starling.peer.policy.SiteRules;
import dev.starling.peer.policy.SlopesAccount;
import dev.starling.peer.trust.KeyPin;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import dev.starling.settings.Scaling;
import dev.starling.settings.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Sites with keys, rules, ledgers and masks of their own, all in one process, so that tests see what everyone sees. */
final class MaskedNetwork {

    private static final Instant NOW = Instant.now();
    private static final Authority AUTHORITY = Authority.create(NOW, Duration.ofDays(1));

    private final Settings settings;
    private final Network network;
    private final List<Dataset> rows;
    private final BiFunction<Integer, MaskedSums, SumGuard> guarded;
    private final IntFunction<SlopesAccount> accounts;
    private final List<SiteSignature> signers;
    private final List<SumSession> sessions = new ArrayList<>();
    private final List<MaskedSums> guards = new ArrayList<>();
    private final List<SiteRules> rules = new ArrayList<>();
    private final List<TrainingJob> jobs = new ArrayList<>();
    private final List<String> refusals = new ArrayList<>();
    private BiFunction<Integer, NodeProgram, NodeProgram> deviation = (site, program) -> program;

    MaskedNetwork(Settings settings, Network network, List<Dataset> rows, Policy policy, boolean masked, Path folder)
            throws IOException {
        this(settings, network, rows, policy, masked, folder, (site, guard) -> guard);
    }

    /** Sites some of which have something else in the place of their guard. */
    MaskedNetwork(
            Settings settings,
            Network network,
            List<Dataset> rows,
            Policy policy,
            boolean masked,
            Path folder,
            BiFunction<Integer, MaskedSums, SumGuard> guarded)
            throws IOException {
        this(settings, network, rows, policy, masked, folder, guarded, site -> SlopesAccount.none());
    }

    /** Sites that have had runs before. */
    MaskedNetwork(
            Settings settings,
            Network network,
            List<Dataset> rows,
            Policy policy,
            boolean masked,
            Path folder,
            BiFunction<Integer, MaskedSums, SumGuard> guarded,
            IntFunction<SlopesAccount> accounts)
            throws IOException {
        this.guarded = guarded;
        this.accounts = accounts;
        this.settings = settings;
        this.network = network;
        this.rows = rows;
        this.signers = IntStream.range(0, rows.size())
                .mapToObj(site -> signer("site-" + site))
                .toList();
        List<SumSession.Member> members = IntStream.range(0, rows.size())
                .mapToObj(site -> new SumSession.Member(
                        "site-" + site,
                        Optional.of(KeyPin.of(signers.get(site).credentials().certificate()))))
                .toList();
        for (int site = 0; site < rows.size(); site++) {
            SessionSecrets secrets = SessionSecrets.open(folder.resolve("secrets-" + site));
            SiteFacts facts = facts(site, secrets, policy, rows.get(site), settings.scaling() != Scaling.NONE);
            sessions.add(new SumSession(members, signers.get(site), secrets, facts));
            addJob(site, secrets, policy, masked, folder);
        }
        introduce();
    }

    static SiteSignature signer(String name) {
        return new SiteSignature(AUTHORITY.issue(name, NOW, Duration.ofDays(1)).credentials());
    }

    static SiteFacts facts(int site, SessionSecrets secrets, Policy policy, Dataset rows, boolean scaled) {
        return new SiteFacts(
                "run",
                new byte[32],
                new byte[32],
                site,
                secrets.publicKey(),
                secrets.nonce(),
                rows.rows(),
                rows.rows(),
                policy.limits(rows.nonZeros(), rows.features(), scaled, 0),
                secrets.commitment(new byte[32], new byte[16]));
    }

    private void addJob(int site, SessionSecrets secrets, Policy policy, boolean masked, Path folder)
            throws IOException {
        PlanningPhase[] agreement = new PlanningPhase[1];
        SiteRules own = new SiteRules(
                policy,
                settings,
                rows.get(site),
                index -> agreement[0].problems().problem(index),
                accounts.apply(site));
        MaskedSums guard = new MaskedSums(
                () -> sessions.get(site).known(),
                own,
                SumLedger.open(folder.resolve("ledger-" + site), secrets.ledgerKey()),
                masked ? (question, words) -> sessions.get(site).mask(question, words) : MaskedSums.NO_MASKS,
                sessions.get(site),
                refusals::add);
        guards.add(guard);
        rules.add(own);
        JobRules jobRules = JobRules.inMemory();
        Collectives place = Collectives.apart(network.spanningTree(), site, network.size(), guarded.apply(site, guard));
        agreement[0] = new PlanningPhase(settings, jobRules, network, place, all(rows.get(site)));
        jobs.add(new TrainingJob(settings, jobRules, agreement[0], TrainingListener.NONE));
    }

    /** The rows of a site, which are one stratum or cluster unless their keys say otherwise. */
    private NodeRows all(Dataset own) {
        if (settings.standardErrors().isClustered() && own.isKeyed()) {
            return NodeRows.all(
                    own,
                    IntStream.range(0, own.rows())
                            .mapToLong(row -> RowKeys.ofContent(own, row))
                            .toArray());
        }
        return NodeRows.all(own, new long[settings.keepsKeysTogether() ? own.rows() : 0]);
    }

    private void introduce() {
        for (SumSession one : sessions) {
            for (int other = 0; other < sessions.size(); other++) {
                one.facts(other, sessions.get(other).ownFacts());
            }
        }
        for (SumSession one : sessions) {
            for (int other = 0; other < sessions.size(); other++) {
                if (sessions.get(other) != one) {
                    one.confirmation(
                            other, sessions.get(other).ownConfirmation().orElseThrow());
                }
            }
        }
    }

    /** Puts something else in the place of a site's program. */
    MaskedNetwork deviating(BiFunction<Integer, NodeProgram, NodeProgram> programs) {
        deviation = programs;
        return this;
    }

    /** Drives all sites to their end. */
    List<LinearModel> run() {
        List<NodeProgram> programs = IntStream.range(0, jobs.size())
                .mapToObj(site -> deviation.apply(site, jobs.get(site)))
                .toList();
        new Simulator().run(network, programs, Delays.uniform(1), StopSignal.manual());
        return jobs.stream().map(job -> job.result().model("rows")).toList();
    }

    List<TrainingJob> jobs() {
        return jobs;
    }

    /** Why sites have refused. */
    List<String> refusals() {
        return refusals;
    }

    SiteSignature signer(int site) {
        return signers.get(site);
    }

    List<SumSession> sessions() {
        return sessions;
    }

    SiteRules rules(int site) {
        return rules.get(site);
    }

    SumGuard guard(int site) {
        return guards.get(site);
    }

    ReleaseLimits limits() {
        return Policy.strictest(sessions.get(0).known().limits());
    }
}
