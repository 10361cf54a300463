package dev.starling.peer.node;

import dev.starling.data.InvalidInputException;
import dev.starling.job.Holdout;
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
import dev.starling.peer.keys.SiteSignature;
import dev.starling.peer.membership.Membership;
import dev.starling.peer.policy.SiteRules;
import dev.starling.peer.policy.SlopesAccount;
import dev.starling.peer.sums.LedgerComparison;
import dev.starling.peer.sums.LedgerLine;
import dev.starling.peer.sums.MaskedSums;
import dev.starling.peer.sums.Opener;
import dev.starling.peer.sums.Opening;
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
 * Replays a run at one site on its own: its job, its rules and its rows, with the totals that all sites received. Every
 * addend (the site's own contribution to a sum) is recomputed and compared, before masking, with what the ledger says
 * has left the site.
 */
public final class Replay {

    /**
     * The result of a replay.
     *
     * @param sums every sum that was recomputed
     * @param unproven the number of sums that have left the site and could not be recomputed
     * @param differences what differs from the original run or violates the protocol; empty if nothing does
     * @param remarks what could not be replayed, and other remarks
     */
    public record Outcome(
            List<LedgerComparison.Compared> sums, int unproven, List<String> differences, List<String> remarks) {

        /** Copies the lists. */
        public Outcome {
            sums = List.copyOf(sums);
            differences = List.copyOf(differences);
            remarks = List.copyOf(remarks);
        }

        /**
         * Whether every recomputed sum is the one that has left the site, and nothing else has left it apart from sums
         * that cannot be recomputed.
         */
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
    private final Opener opener;
    private final SiteRules rules;
    private final MaskedSums guard;
    private final TrainingJob job;

    private Replay(SiteConfig config) throws IOException {
        this.config = config;
        this.folder = config.state().resolve(config.run());
        this.lines = SumLedger.read(existing(SiteSums.LEDGER));
        this.secrets = SessionSecrets.open(existing(SiteSums.SECRETS));
        Transcript.Content transcript = Transcript.read(existing(SiteSums.TRANSCRIPT));
        this.session = new SessionFacts(config.node(), transcript.facts());
        this.results = transcript.results().iterator();
        this.site = Site.load(config);
        this.comparison = new LedgerComparison(lines, secrets.ledgerKey());
        this.opener = new Opener(config.node(), secrets.ledgerKey());
        this.rules =
                new SiteRules(config.policy(), config.training(), site.rows(), this::problem, SlopesAccount.none());
        this.guard = new MaskedSums(
                () -> session,
                rules,
                comparison,
                MaskedSums.NO_MASKS,
                opener,
                why -> differences.add("under the policy in its file the site would not have released this: " + why));
        this.job = site.job(config, !FileRounds.isUsed(config), place(), TrainingListener.NONE, start(config));
    }

    private LocalProblem problem(int index) {
        return job.planning().problems().problem(index);
    }

    /**
     * Makes the site a leaf of the tree, wherever it was in the run: totals come from above, and no addends from below.
     */
    private Collectives place() {
        int parent = config.node() == 0 ? 1 : 0;
        return new Collectives(
                parent,
                new int[0],
                config.node(),
                config.sites().size(),
                guard,
                new SharedWork(),
                false,
                0,
                1,
                request -> true);
    }

    /** Where the run begins, if it continues another. */
    static Optional<RawWeights> start(SiteConfig config) {
        return config.change().isEmpty()
                ? Optional.empty()
                : Membership.start(config, config.tls().load());
    }

    private Path existing(String name) {
        Path file = folder.resolve(name);
        if (!Files.exists(file)) {
            throw new InvalidInputException(file + " does not exist; either the site has not taken part in run "
                    + config.run() + " (run: in its file), or it was purged and can no longer be replayed or audited");
        }
        return file;
    }

    /**
     * Replays a site's run.
     *
     * @param model the file of the model with which the run ended, if it exists
     * @throws InvalidInputException if a file that is needed is missing, or the ledger was altered
     */
    public static Outcome of(SiteConfig config, Optional<Path> model) {
        try {
            Replay replay = new Replay(config);
            replay.compareFacts();
            replay.run();
            replay.compareRemainingSums();
            model.filter(Files::exists).ifPresent(replay::compareModel);
            return new Outcome(replay.comparison.compared(), replay.unproven, replay.differences, replay.remarks);
        } catch (IOException e) {
            throw unreadable(config, e);
        }
    }

    /**
     * What a site shows an auditor of a run, computed again from its rows.
     *
     * @throws InvalidInputException if its rows do not give what it sealed in the run
     */
    public static Opening open(SiteConfig config) {
        try {
            Replay replay = new Replay(config);
            replay.run();
            List<Opening.Opened> sums = replay.opener.sums();
            if (!replay.differences.isEmpty() && sums.isEmpty()) {
                throw new InvalidInputException(String.join("; ", replay.differences));
            }
            return new Opening(
                    config.node(),
                    replay.session.encoded(),
                    new SiteSignature(config.tls().load()).chain(),
                    replay.secrets.privateKey(),
                    sums);
        } catch (IOException e) {
            throw unreadable(config, e);
        }
    }

    private static InvalidInputException unreadable(SiteConfig config, IOException e) {
        return new InvalidInputException(
                config.state().resolve(config.run()) + " cannot be read: " + e.getMessage(), e);
    }

    /** Compares what the site signed in the run with its current file and rows. */
    private void compareFacts() {
        SiteFacts signed = session.site(config.node());
        SiteFacts now = SiteSums.facts(config, site, secrets);
        compare("rows", signed.rows() == now.rows() && signed.committed().equals(now.committed()));
        compare("settings or columns", Arrays.equals(signed.settings(), now.settings()));
        compare("limits", signed.limits().equals(now.limits()));
        compare(
                "run, network or keys",
                signed.run().equals(now.run()) && Arrays.equals(signed.network(), now.network()));
        lines.stream()
                .filter(line -> line.what().equals(SiteSums.POLICY))
                .forEach(line -> compare(
                        "rules (policy)", line.detail().equals(config.policy().toString())));
    }

    private void compare(String what, boolean same) {
        if (!same) {
            differences.add("this site's " + what + " differ from those in the run");
        }
    }

    private void run() {
        try {
            while (!job.isDone() && !cannotGoOn()) {
                answer(job.advance());
            }
        } catch (InvalidInputException e) {
            differences.add("with these rows and totals the run would have stopped: " + e.getMessage());
        }
    }

    /** Training by estimates depends on what the neighbours sent, which is not kept. */
    private boolean cannotGoOn() {
        return rules.sharesEstimates() && job.canStop();
    }

    private void answer(Exchange exchange) {
        if (exchange.kind() == Exchange.Kind.ASK) {
            // The answers, measured times and whether time was up, are sent unmasked and say nothing about rows.
            job.absorb(new double[][] {{0, 0}});
        } else if (exchange.from().length == 0) {
            job.absorb(new double[0][]);
        } else if (results.hasNext()) {
            double[] result = results.next();
            opener.told(result);
            job.absorb(new double[][] {result});
        } else {
            throw new InvalidInputException("the transcript has fewer totals than the run needs");
        }
    }

    private void compareRemainingSums() {
        List<LedgerLine> remaining = comparison.remaining();
        if (remaining.isEmpty() || !differences.isEmpty()) {
            return;
        }
        if (rules.sharesEstimates()) {
            long next = comparison.compared().size() + 1L;
            for (LedgerLine line : remaining) {
                requireExpected(line, next++);
            }
            unproven = remaining.size();
            remarks.add(
                    "what the neighbours sent during training is not kept, so neither the estimates that this site sent"
                            + " them nor the numbers in its " + unproven
                            + " sums since then can be recomputed; according to the ledger, which nothing"
                            + " contradicts, each of these sums was one that the protocol asks for, over all the"
                            + " rows that it should cover");
        } else {
            remaining.forEach(line ->
                    differences.add("sum " + line.sum() + " has left the site, but the protocol does not ask for it"));
        }
    }

    /**
     * Checks what can be checked of a sum whose numbers cannot be recomputed: that the protocol asks for such a sum.
     */
    private void requireExpected(LedgerLine line, long number) {
        if (line.sum() != number) {
            differences.add("sum " + number + " is missing from the ledger, before sum " + line.sum());
        } else if (!isExpected(line)) {
            differences.add("sum " + number + ", " + line.fields().get("kind") + " over "
                    + line.fields().get("rows")
                    + " rows, has left the site, but the protocol does not ask for it when estimates are exchanged");
        }
    }

    private boolean isExpected(LedgerLine line) {
        int trained = problem(0).samples();
        int evaluated = site.divided().held().map(Holdout.Held::count).orElse(0);
        // With cross-validation, the numbers of rows for training and for evaluation differ from fold to fold.
        boolean folded = config.training().folds().isPresent();
        return switch (line.tells()) {
            case ESTIMATES ->
                job.planning().problems().announced(0).stream().anyMatch(sum -> line.isOf(sum.kind(), sum.name()))
                        && (folded || line.rows() == trained);
            case PREDICTIONS -> folded || line.rows() == evaluated;
            case NOTHING -> line.rows() == 0;
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
            remarks.add(file + " carries no signatures, so the totals are only those that this site has kept");
        } else if (!signatures.session().equals(ModelStatement.hex(session.id()))
                || (job.isDone() && !signatures.history().equals(ModelStatement.hex(guard.digest())))) {
            differences.add("the totals are not those that the sites have signed in " + file);
        } else if (job.isDone()) {
            remarks.add("the totals are those that " + signatures.signers().size() + " sites have signed in " + file);
        }
    }
}
