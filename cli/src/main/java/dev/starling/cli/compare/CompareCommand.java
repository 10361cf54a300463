package dev.starling.cli.compare;

import dev.starling.cli.console.Json;
import dev.starling.cli.console.Terminal;
import dev.starling.cli.options.Candidates;
import dev.starling.cli.options.DataOptions;
import dev.starling.cli.options.LossOptions;
import dev.starling.cli.options.NetworkOptions;
import dev.starling.cli.options.TimingOptions;
import dev.starling.data.Dataset;
import dev.starling.lab.comparison.Conditions;
import dev.starling.network.Network;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs several methods on the same rows and graph. */
@Command(
        name = "compare",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Runs several methods on the same rows and graph.",
            "Time is idealised: a proximal step (one update from one row) takes 1, a message T.",
            "Prints how long each takes to come within 1e-2, 1e-4 and 1e-6 of a certified optimum."
        },
        footer = {
            "",
            "Methods have the step sizes of their own theory. NAME@F is one whose step size is F times that, tuned by",
            "hand and marked so in all results: extra@2, opapc@0.5.",
            "",
            "Examples:",
            "  starling compare a9a.gz --nodes 16 --topology grid --tau 5 --algorithms adfs,msda,dsba,point-saga",
            "  starling compare a9a.gz --nodes 16 --topology ring --time 5e5 --seed 1,2,3 --report out.html",
            "  starling compare a9a.gz --nodes 16 --loss hinge --algorithms ns-adfs --gap 1e-3 --json",
            "  starling compare rcv1.gz --nodes 9 --algorithms dsba,dsba-sparse   # whole or sparse messages",
            "  starling compare a9a.gz --nodes 25 --algorithms adfs,acc-vr-extra,acc-vr-extra@2,opapc,opapc@2",
            "  starling compare a9a.gz --nodes 16 --topology grid --slow 3=10     # node 3 is ten times slower",
            "  starling compare a9a.gz --nodes 16 --topology ring --message-loss 0.05 --stragglers 0.1:10:100",
            "  starling compare a9a.gz --nodes 16 --topology grid --varying random:0.5 --algorithms adfs",
            "",
            "Ctrl-C and SIGTERM end it with the curves so far.",
            "Exit codes: 0 done, 1 interrupted (the curves so far are printed), 2 bad input."
        })
public final class CompareCommand implements Callable<Integer> {

    private static final int USUAL_POINTS = 80;

    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "FILE",
            description = "Rows in LIBSVM or CSV format, plain, gzip or bzip2; '-' is standard input.")
    private Path file;

    @Option(
            names = "--algorithms",
            paramLabel = "NAME,...",
            defaultValue = "adfs,adfs-local,msda,dsba,point-saga",
            completionCandidates = Candidates.OfAlgorithm.class,
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
    private ComparisonOptions options;

    @Mixin
    private DataOptions data;

    @Override
    public Integer call() {
        objective.checkRegularisation();
        timing.timing();
        options.check(Stream.of(DataOptions.path(file), graph.file())
                .flatMap(Optional::stream)
                .toList());
        Network planned = graph.network(options.seeds().get(0));
        run(planned, DataOptions.name(file), Double.NaN).check();
        Optional<ComparisonProgress> bar = ComparisonProgress.onTerminal(Terminal.ofStandardError(), options.quiet());
        try {
            Dataset rows = data.read(file, 0, (done, total) -> bar.ifPresent(shown -> shown.read(done, total)));
            Network network =
                    graph.fitting(planned, rows.rows(), options.seeds().get(0));
            double lambda = objective.lambda(rows, Map.of());
            Dataset labelled = ComparisonRun.labelled(rows, objective.loss(), DataOptions.name(file));
            return run(network, DataOptions.name(file), lambda)
                    .run(
                            labelled,
                            bar,
                            spec.commandLine().getOut(),
                            spec.commandLine().getErr());
        } finally {
            bar.ifPresent(ComparisonProgress::close);
        }
    }

    private ComparisonRun run(Network network, String source, double lambda) {
        String title = Path.of(source).getFileName() + " on " + network.description() + " (" + network.size()
                + " nodes), " + objective.loss().name() + ", lambda " + Json.text(lambda)
                + (objective.l1() > 0 ? ", l1 " + Json.text(objective.l1()) : "") + ", tau "
                + Json.text(timing.timing().delay()) + failures.title();
        Conditions usual = Conditions.of(timing.timing());
        return new ComparisonRun(
                title,
                source,
                objective.loss(),
                lambda,
                objective.l1(),
                network,
                failures.on(network, timing.evenTuning() ? usual.tunedEvenly() : usual),
                ComparisonOptions.words(algorithms),
                options,
                new ComparisonRun.Defaults(USUAL_POINTS, OptionalDouble.empty(), OptionalDouble.empty()));
    }
}
