package dev.starling.peer.node;

import dev.starling.data.InvalidInputException;
import dev.starling.internal.Version;
import dev.starling.job.Holdout;
import dev.starling.job.PlanningPhase;
import dev.starling.job.RawWeights;
import dev.starling.job.TrainingJob;
import dev.starling.job.TrainingListener;
import dev.starling.model.LinearModel;
import dev.starling.model.Signatures;
import dev.starling.node.Collectives;
import dev.starling.node.Exchange;
import dev.starling.node.SharedWork;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.keys.ModelStatement;
import dev.starling.peer.membership.Membership;
import dev.starling.peer.policy.SiteRules;
import dev.starling.peer.sums.LedgerComparison;
import dev.starling.peer.sums.LedgerLine;
import dev.starling.peer.sums.MaskedSums;
import dev.starling.peer.sums.SessionFacts;
import dev.starling.peer.sums.SessionSecrets;
import dev.starling.peer.sums.SiteFacts;
import dev.starling.peer.sums.SumLedger;
import dev.starling.peer.sums.Transcript;
import dev.starling.problem.LocalProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * A run gone through again at one site, alone: its job, its rules and its rows, with the totals that all sites were
 * told. Every addend is computed anew and compared, before masks, with what the ledger says has left the site.
 */
public final class Replay {

    /**
     * What came of it.
     *
     * @param sums every sum that was computed again
     * @param unproven sums that have left the site and could not be computed again
     * @param differences what is not as it was, or not as the protocol says; empty if all is
     * @param remarks what could not be gone through, and what else there is to say
     */
    public record Outcome(
            List<LedgerComparison.Compared> sums, int unproven, List<String> differences, List<String> remarks) {

        /** Copies the lists. */
        public Outcome {
            sums = List.copyOf(sums);
            differences = List.copyOf(differences);
            remarks = List.copyOf(remarks);
        }

        /** Whether what was computed again is what has left the site, and nothing else has but what could not be. */
        public boolean isTrue() {
            return differences.isEmpty() && sums.stream().allMatch(LedgerComparison.Compared::isSame);
        }
    }

    private final SiteConfig config;
    private final Path folder;
    private final Site site;
    private final List<LedgerLine> lines;
    private final SessionSecrets secrets;
    private final SessionFacts session;
    private final Iterator<double[]> results;
    private final List<String> differences = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();
    private int unproven;

    private final LedgerComparison comparison;
    private final SiteRules rules;
    private final MaskedSums guard;
    private final PlanningPhase agreement;
    private final TrainingJob job;

    private Replay(SiteConfig config) throws IOException {
        this.config = config;
        this.folder = config.state().resolve(config.run());
        this.lines = SumLedger.read(there(SiteSums.LEDGER));
        this.secrets = SessionSecrets.open(there(SiteSums.SECRETS));
        Transcript.Content told = Transcript.read(there(SiteSums.TRANSCRIPT));
        this.session = new SessionFacts(config.node(), told.facts());
        this.results = told.results().iterator();
        this.site = Site.load(config);
        this.comparison = new LedgerComparison(lines, secrets.ledgerKey());
        this.rules = new SiteRules(config.policy(), site.rows(), this::problem);
        this.guard = new MaskedSums(
                () -> session,
                rules,
                comparison,
                MaskedSums.NO_MASKS,
                why -> differences.add("by the policy of its file the site would not have told this: " + why));
        this.agreement = new PlanningPhase(
                config.training(),
                Site.rules(config),
                config.network(),
                place(),
                site.divided().training());
        this.job = new TrainingJob(
                config.training(),
                Site.rules(config),
                agreement,
                TrainingListener.NONE,
                start(config),
                site.divided().held());
    }

    private LocalProblem problem(int index) {
        return agreement.problem(index);
    }

    /** A leaf, wherever the site was: totals come to it from above, and nobody's addends from below. */
    private Collectives place() {
        int above = config.node() == 0 ? 1 : 0;
        return new Collectives(
                above, new int[0], config.node(), config.sites().size(), guard, new SharedWork(), false, 0, 1);
    }

    private static Optional<RawWeights> start(SiteConfig config) {
        return config.change().isEmpty()
                ? Optional.empty()
                : Membership.start(config, config.tls().load());
    }

    private Path there(String name) {
        Path file = folder.resolve(name);
        if (!Files.exists(file)) {
            throw new InvalidInputException(file + " does not exist; has this site taken part in the run?");
        }
        return file;
    }

    /**
     * Goes through a site's run again.
     *
     * @param model what the run ended with, if it is there
     * @throws InvalidInputException if what that takes is not there, or the ledger was altered
     */
    public static Outcome of(SiteConfig config, Optional<Path> model) {
        try {
            Replay replay = new Replay(config);
            replay.compareFacts();
            replay.run();
            replay.compareWhatIsLeft();
            model.filter(Files::exists).ifPresent(replay::compareModel);
            return new Outcome(replay.comparison.compared(), replay.unproven, replay.differences, replay.remarks);
        } catch (IOException e) {
            throw new InvalidInputException(
                    config.state().resolve(config.run()) + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** What the site has signed, against its file and rows of today. */
    private void compareFacts() {
        SiteFacts told = session.site(config.node());
        SiteFacts now = SiteSums.facts(config, site, secrets, told.program());
        if (!told.program().equals(Version.current())) {
            remarks.add("the run was made by version " + told.program() + ", this is " + Version.current());
        }
        compare("rows", told.rows() == now.rows() && told.committed().equals(now.committed()));
        compare("settings or columns", Arrays.equals(told.settings(), now.settings()));
        compare("limits", told.limits().equals(now.limits()));
        compare("run, network or keys", told.run().equals(now.run()) && Arrays.equals(told.network(), now.network()));
        lines.stream()
                .filter(line -> line.what().equals(SiteSums.POLICY))
                .forEach(line ->
                        compare("policy", line.detail().equals(config.policy().toString())));
    }

    private void compare(String what, boolean same) {
        if (!same) {
            differences.add("not as they were in the run: its " + what);
        }
    }

    private void run() {
        try {
            while (!job.isDone() && !cannotGoOn()) {
                answer(job.advance());
            }
        } catch (InvalidInputException e) {
            differences.add("with these rows and totals the run would have ended: " + e.getMessage());
        }
    }

    /** Training goes by what neighbours tell, which is not kept. */
    private boolean cannotGoOn() {
        return rules.tellsEstimates() && job.canStop();
    }

    private void answer(Exchange exchange) {
        if (exchange.kind() == Exchange.Kind.ASK) {
            // What the site measured, and that its time was up, it told as they were; they say nothing of rows.
            job.absorb(new double[][] {{0, 0}});
        } else if (exchange.from().length == 0) {
            job.absorb(new double[0][]);
        } else if (results.hasNext()) {
            job.absorb(new double[][] {results.next()});
        } else {
            throw new InvalidInputException("its totals end before it does");
        }
    }

    private void compareWhatIsLeft() {
        List<LedgerLine> left = comparison.left();
        if (left.isEmpty() || !differences.isEmpty()) {
            return;
        }
        if (rules.tellsEstimates()) {
            long next = comparison.compared().size() + 1L;
            for (LedgerLine line : left) {
                requireAskedFor(line, next++);
            }
            unproven = left.size();
            remarks.add(
                    "what neighbours told while training is not kept, so neither the estimates that this site told them"
                            + " nor the numbers in its " + unproven
                            + " sums since then can be computed again; that each of these"
                            + " sums was one that is asked for, over all rows that it is about, is what the ledger says, and"
                            + " nothing contradicts it");
        } else {
            left.forEach(line -> differences.add("sum " + line.sum() + " has left the site, and nobody asks for it"));
        }
    }

    /** What can be said of a sum whose numbers cannot be computed again: that such sums are what is asked for. */
    private void requireAskedFor(LedgerLine line, long number) {
        if (line.sum() != number) {
            differences.add("sum " + number + " is missing in the ledger, before sum " + line.sum());
        } else if (!isAskedFor(line.fields().get("kind"), line.fields().get("rows"))) {
            differences.add("sum " + number + ", " + line.fields().get("kind") + " over "
                    + line.fields().get("rows") + " rows, has left the site, and nobody asks for it beside estimates");
        }
    }

    private boolean isAskedFor(String kind, String rows) {
        int trained = problem(0).samples();
        int judging = site.divided().held().map(Holdout.Held::count).orElse(0);
        // With cross-validation, how many rows train a model and how many judge it differs from fold to fold.
        boolean folded = config.training().path().folds().isPresent();
        return switch (kind) {
            case "dual", "losses" -> folded || rows.equals(Integer.toString(trained));
            case "held-out" -> folded || rows.equals(Integer.toString(judging));
            case "updates" -> rows.equals("0");
            default -> false;
        };
    }

    private void compareModel(Path file) {
        LinearModel model = LinearModel.load(file);
        Signatures signatures = model.provenance().signatures();
        if (job.isDone() && !job.result().model("").weightsHash().equals(model.weightsHash())) {
            differences.add(file + " is not the model that the run ends with");
        }
        if (signatures.signers().isEmpty()) {
            remarks.add(file + " carries no signatures, so totals are those that this site has kept");
        } else if (!signatures.session().equals(ModelStatement.hex(session.id()))
                || (job.isDone() && !signatures.history().equals(ModelStatement.hex(guard.digest())))) {
            differences.add("the totals are not those that sites have signed in " + file);
        } else if (job.isDone()) {
            remarks.add("the totals are those that " + signatures.signers().size() + " sites have signed in " + file);
        }
    }
}
