package dev.starling.cli.compare;

import dev.starling.cli.Main;
import dev.starling.cli.console.ConsoleCommand;
import dev.starling.cli.console.Interrupts;
import dev.starling.cli.console.Json;
import dev.starling.cli.console.RunFailure;
import dev.starling.cli.console.Terminal;
import dev.starling.cli.options.CompletionCandidates;
import dev.starling.cli.options.DataOptions;
import dev.starling.cli.options.LossOptions;
import dev.starling.cli.options.NetworkOptions;
import dev.starling.cli.options.SourceOptions;
import dev.starling.cli.options.TimingOptions;
import dev.starling.data.Dataset;
import dev.starling.data.Dealing;
import dev.starling.data.InvalidInputException;
import dev.starling.lab.comparison.ComparisonListener;
import dev.starling.lab.comparison.Conditions;
import dev.starling.lab.comparison.Optimum;
import dev.starling.network.Network;
import dev.starling.network.Timing;
import dev.starling.runtime.StopSignal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs several methods on the same rows and graph. */
@Command(
        name = "compare",
        description = {
            "Runs several methods on the same rows and graph.",
            "Time is idealised: a proximal step (one update from one row) takes 1, a message T.",
            "Prints how long each method takes to come within 1e-2, 1e-4 and 1e-6 of a certified optimum."
        },
        footer = {
            "",
            "Methods use the step sizes of their own theory. NAME@F multiplies a method's step size by F,",
            "and all results say so: extra@2, opapc@0.5.",
            "",
            "Examples:",
            "  starling compare a9a.gz --nodes 16 --topology grid --tau 5 --algorithms adfs,msda,dsba,point-saga",
            "  starling compare a9a.gz --nodes 16 --topology ring --time 5e5 --seed 1,2,3 --report out.html",
            "  starling compare a9a.gz --nodes 16 --loss hinge --algorithms ns-adfs --gap 1e-3 --json",
            "  starling compare rcv1.gz --nodes 9 --algorithms dsba,dsba-sparse   # whole or sparse messages",
            "  starling compare a9a.gz --nodes 25 --algorithms adfs,acc-vr-extra,acc-vr-extra@2,opapc,opapc@2",
            "  starling compare a9a.gz --nodes 16 --topology grid --slow 3=10     # node 3 is ten times slower",
            "  starling compare a9a.gz --nodes 16 --topology ring --message-loss 0.05 --stragglers 0.1:10:100",
            "  starling compare a9a.gz --nodes 16 --topology grid --varying random:0.5 --algorithms adfs-theory",
            "  starling compare a9a.gz --grid lambda=1e-3,1e-5 --grid topology=ring,grid --report grid.html",
            "",
            "Ctrl-C and SIGTERM stop it and print the curves so far.",
            "Exit codes: 0 done, 1 interrupted (the curves so far are printed), 2 bad input."
        })
public final class CompareCommand extends ConsoleCommand {

    private static final int USUAL_POINTS = 80;
    private static final double USUAL_GAP = 1e-6;

    @Parameters(index = "0", arity = "0..1", paramLabel = "FILE", description = DataOptions.ROWS)
    private Path file;

    @Option(
            names = "--algorithms",
            paramLabel = "NAME,...",
            defaultValue = "adfs,adfs-local,msda,dsba,point-saga",
            completionCandidates = CompletionCandidates.OfAlgorithm.class,
            description = "Methods to run (default: ${DEFAULT-VALUE}), of: ${COMPLETION-CANDIDATES}.")
    private String algorithms;

    @Mixin
    private LossOptions objective;

    @Mixin
    private NetworkOptions graph;

    @Mixin
    private TimingOptions timing;

    @Mixin
    private FailureOptions failures;

    @Mixin
    private GridOptions grid;

    @Mixin
    private ComparisonOptions options;

    @Mixin
    private SourceOptions data;

    @Override
    public Integer call() {
        objective.checkRegularisation();
        timing.timing();
        data.check(file);
        options.check(inputs());
        long seed = options.seeds().get(0);
        Network planned = graph.network(seed, NetworkOptions.NODES_OF_A_GRAPH);
        plannedCases(planned, seed).forEach(one -> run(one, data.source(file)).check());
        Optional<ComparisonProgress> bar = ComparisonProgress.onTerminal(Terminal.ofStandardError(), options.quiet());
        try {
            Dataset rows = data.read(file, 0, (done, total) -> bar.ifPresent(shown -> shown.read(done, total)));
            double lambda = objective.lambda(rows);
            Dataset labelled = ComparisonRun.labelled(rows, objective.loss(), data.source(file));
            if (grid.isGiven()) {
                bar.ifPresent(ComparisonProgress::close);
                return runAll(labelled, lambda, planned, seed);
            }
            Network network = graph.fitting(planned, rows.rows(), seed);
            return run(
                            new GridOptions.Case(
                                    lambda, network, timing.timing().delay(), graph.dealing()),
                            data.source(file))
                    .run(labelled, bar, out(), err());
        } finally {
            bar.ifPresent(ComparisonProgress::close);
        }
    }

    /** The combinations to check before rows are read; λ, which may depend on the rows, is NaN. */
    private List<GridOptions.Case> plannedCases(Network planned, long seed) {
        if (grid.isGiven() && options.svg().isPresent()) {
            throw new InvalidInputException("--svg " + options.svg().get()
                    + " is one picture, and --grid has many comparisons; use --report or --json");
        }
        return cases(Double.NaN, planned, seed);
    }

    private List<GridOptions.Case> cases(double lambda, Network planned, long seed) {
        return GridOptions.cases(
                        grid.lambdas(lambda),
                        grid.networks(graph, planned, seed),
                        grid.taus(timing.timing().delay()),
                        grid.dealings(graph.dealing()))
                .toList();
    }

    /** Runs one comparison after another; the optimum is computed once for every λ. */
    private int runAll(Dataset rows, double lambda, Network planned, long seed) {
        List<GridOptions.Case> cases = cases(lambda, planned, seed);
        StopSignal stop = StopSignal.manual();
        List<ComparisonReport> reports = Interrupts.handled(stop::request, () -> measureAll(rows, cases, stop));
        GridReport result = new GridReport(
                title() + ", " + objective.loss().name() + failures.title(),
                options.gap().orElse(USUAL_GAP),
                ComparisonOptions.words(algorithms),
                reports,
                !stop.isRaised());
        options.deliver(result, out(), err());
        if (!result.complete()) {
            throw new RunFailure("interrupted: these are the comparisons so far");
        }
        return Main.DONE;
    }

    private String title() {
        return DataOptions.path(file).map(Path::getFileName).map(Path::toString).orElseGet(() -> data.source(file));
    }

    private List<ComparisonReport> measureAll(Dataset rows, List<GridOptions.Case> cases, StopSignal stop) {
        List<ComparisonReport> reports = new ArrayList<>();
        Map<Double, Optimum> optima = new HashMap<>();
        for (GridOptions.Case one : cases) {
            if (stop.isRaised()) {
                break;
            }
            ComparisonRun run = run(one, data.source(file));
            run.measure(rows, Optional.ofNullable(optima.get(one.lambda())), ComparisonListener.NONE, stop)
                    .filter(report -> report.outcome().complete())
                    .ifPresent(report -> {
                        optima.put(one.lambda(), report.outcome().optimum());
                        reports.add(report);
                        options.remark(err(), reports.size() + " of " + cases.size() + ": " + run.title());
                    });
        }
        return reports;
    }

    private ComparisonRun run(GridOptions.Case one, String source) {
        Network network = one.network();
        String title = Path.of(source).getFileName() + " on " + network.description() + " (" + network.size()
                + " nodes), " + objective.loss().name() + ", lambda " + Json.text(one.lambda())
                + (objective.l1() > 0 ? ", l1 " + Json.text(objective.l1()) : "") + ", tau " + Json.text(one.tau())
                + (one.dealing() == Dealing.TURNS ? "" : ", dealt " + one.dealing())
                + failures.title();
        return new ComparisonRun(
                title,
                source,
                objective.loss(),
                one.lambda(),
                objective.l1(),
                network,
                one.dealing(),
                failures.on(network, conditions(one.tau())),
                ComparisonOptions.words(algorithms),
                options,
                new ComparisonRun.Defaults(USUAL_POINTS, OptionalDouble.empty(), OptionalDouble.empty()));
    }

    private Conditions conditions(double tau) {
        Timing given = timing.timing();
        Conditions tuned = Conditions.of(new Timing(tau, given.nodes(), given.edges()));
        return timing.evenTuning() ? tuned.tunedEvenly() : tuned;
    }
}
