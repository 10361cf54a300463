package dev.starling.cli.compare;

import dev.starling.Trainer;
import dev.starling.cli.Main;
import dev.starling.cli.console.Interrupts;
import dev.starling.cli.console.RunFailure;
import dev.starling.cli.train.Explanation;
import dev.starling.data.Dataset;
import dev.starling.data.Dealing;
import dev.starling.data.InvalidInputException;
import dev.starling.data.Labels;
import dev.starling.lab.comparison.Comparison;
import dev.starling.lab.comparison.ComparisonListener;
import dev.starling.lab.comparison.Conditions;
import dev.starling.lab.comparison.Optimum;
import dev.starling.loss.Loss;
import dev.starling.network.Network;
import dev.starling.runtime.StopSignal;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One comparison, from rows to results, for all commands that compare methods.
 *
 * @param title what to call it
 * @param source where the rows come from
 */
record ComparisonRun(
        String title,
        String source,
        Loss loss,
        double lambda,
        double l1,
        Network network,
        Dealing dealing,
        Conditions conditions,
        List<String> methods,
        ComparisonOptions options,
        Defaults defaults) {

    /** The plan of a training, in which every node learns what all others are, takes too long with more nodes. */
    private static final int MOST_PLANNED = 10_000;

    /**
     * Defaults for what the options leave open.
     *
     * @param points the number of points per curve
     * @param time the idealised time at which methods are cut off; empty for one that follows from theory
     * @param gap the suboptimality at which methods stop, unless a time was asked for; empty for the usual one
     */
    record Defaults(int points, OptionalDouble time, OptionalDouble gap) {}

    /** Returns the rows with the labels that the loss needs. */
    static Dataset labelled(Dataset rows, Loss loss, String source) {
        Dataset labelled = rows;
        if (loss.isClassification()) {
            try {
                Labels labels = Labels.classification(rows);
                if (!labels.isBinary()) {
                    throw new InvalidInputException(
                            "there are " + labels.classes().size()
                                    + " classes; compare methods on two of them, or with a regression loss");
                }
                labelled = labels.binary(rows);
            } catch (InvalidInputException e) {
                throw new InvalidInputException(
                        source + ": " + e.getMessage().replace("a regression loss", "--loss squared"), e);
            }
        }
        return labelled.wellLaidOut();
    }

    /** Refuses what can be refused before rows are read. */
    void check() {
        if (options.explain() && network.size() > MOST_PLANNED) {
            throw new InvalidInputException("--explain plans a training, in which every node learns of the rows of all"
                    + " others; that is for at most " + MOST_PLANNED + " nodes, and there are " + network.size()
                    + ": leave it out");
        }
        conditions.timing().requireWithin(network);
        Comparison.checkMethods(loss, l1, network, conditions, methods);
    }

    int run(Dataset rows, Optional<ComparisonProgress> bar, PrintWriter out, PrintWriter err) {
        StopSignal stop = StopSignal.manual();
        bar.ifPresent(ComparisonProgress::solving);
        ComparisonListener listener =
                bar.<ComparisonListener>map(shown -> shown).orElseGet(() -> log(err));
        Optional<ComparisonReport> report =
                Interrupts.handled(stop::request, () -> measure(rows, Optional.empty(), listener, stop));
        bar.ifPresent(ComparisonProgress::close);
        if (report.isEmpty()) {
            throw new RunFailure("interrupted before the optimum was known: there are no curves yet");
        }
        options.deliver(report.get(), out, err);
        if (!report.get().outcome().complete()) {
            throw new RunFailure("interrupted: these are the curves so far");
        }
        return Main.DONE;
    }

    /** Runs the comparison; returns empty if it was stopped before the optimum was known. */
    Optional<ComparisonReport> measure(
            Dataset rows, Optional<Optimum> known, ComparisonListener listener, StopSignal stop) {
        Comparison comparison = Comparison.of(rows, loss, lambda, network, conditions)
                .l1(l1)
                .dealing(dealing)
                .methods(methods)
                .seeds(options.seeds())
                .points(options.points().orElse(defaults.points()))
                .watch(options.watch())
                .listener(listener)
                .stopSignal(stop);
        Explanation explanation;
        try {
            comparison = limited(comparison);
            comparison.check();
            boolean planned = options.needsConstants() && network.size() <= MOST_PLANNED;
            explanation = planned ? explanation(rows) : Explanation.NONE;
        } catch (InvalidInputException e) {
            throw new InvalidInputException(source + ": " + e.getMessage(), e);
        }
        ComparisonReport.Subject subject = new ComparisonReport.Subject(
                title,
                source,
                rows.rows(),
                rows.features(),
                loss.name(),
                lambda,
                l1,
                conditions.timing(),
                conditions.evenTuning(),
                network,
                dealing,
                options.seeds(),
                Math.min(options.watch(), network.size()),
                options.gradient().map(OptionalDouble::of).orElseGet(OptionalDouble::empty));
        Comparison configured = known.map(comparison::reference).orElse(comparison);
        return configured
                .run()
                .map(outcome -> new ComparisonReport(
                        subject,
                        options.explain()
                                ? explanation.with("split", configured.split(outcome.optimum()))
                                : explanation,
                        outcome,
                        options.explain()));
    }

    /** Without a bar, a line on stderr says when the optimum has been found. */
    private ComparisonListener log(PrintWriter err) {
        return options.quiet()
                ? ComparisonListener.NONE
                : new ComparisonListener() {
                    @Override
                    public void begun(Optimum optimum, int curves) {
                        err.printf(
                                Locale.US,
                                "optimum %.6g certified to %.1e; %d curves to come%n",
                                optimum.objective(),
                                optimum.gap(),
                                curves);
                    }
                };
    }

    private Comparison limited(Comparison comparison) {
        OptionalDouble time =
                options.time().isPresent() ? OptionalDouble.of(options.time().get()) : defaults.time();
        OptionalDouble gap = options.gap().isPresent()
                ? OptionalDouble.of(options.gap().get())
                : options.time().isPresent() ? OptionalDouble.empty() : defaults.gap();
        Comparison limited = time.isPresent() ? comparison.time(time.getAsDouble()) : comparison;
        if (options.gradient().isPresent()) {
            return limited.gradient(options.gradient().get());
        }
        return gap.isPresent() ? limited.gap(gap.getAsDouble()) : limited;
    }

    private Explanation explanation(Dataset rows) {
        Trainer trainer = Trainer.of(loss)
                .method("adfs")
                .network(network)
                .dealing(dealing)
                .delay(conditions.timing().delay())
                .lambda(lambda)
                .l1(l1);
        return Explanation.of(trainer.prepare(rows), trainer.settings());
    }
}
