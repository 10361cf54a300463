package dev.starling.cli.compare;

import dev.starling.cli.Main;
import dev.starling.cli.console.ConsoleCommand;
import dev.starling.cli.console.Interrupts;
import dev.starling.cli.console.Json;
import dev.starling.cli.console.NumberFormats;
import dev.starling.cli.console.RunFailure;
import dev.starling.cli.console.Terminal;
import dev.starling.data.Dataset;
import dev.starling.data.Dealing;
import dev.starling.data.InvalidInputException;
import dev.starling.lab.comparison.Comparison;
import dev.starling.lab.comparison.Conditions;
import dev.starling.lab.paper.NodeSweep;
import dev.starling.lab.paper.PaperData;
import dev.starling.lab.paper.PaperFigure;
import dev.starling.lab.paper.RandomShares;
import dev.starling.lab.paper.TwoGaussians;
import dev.starling.lab.paper.WorstCaseTable;
import dev.starling.loss.Logistic;
import dev.starling.loss.Squared;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.runtime.StopSignal;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Reproduces the paper's plots, and measures what it proves. It is longer than most commands, because each figure
 * refuses the options of the others.
 */
@Command(
        name = "reproduce",
        description = {
            "Reproduces the plots of the ADFS paper, and measures what it proves.",
            "The plots show logistic regression on a 2-D grid, with 10000 rows per node drawn at random (nodes may"
                    + " share rows), sigma = 1 (lambda = 1e-4) and tau = 5. figure-a: Higgs, 4 nodes; figure-b: Higgs,"
                    + " 100 nodes; figure-c: Covtype, 100 nodes.",
            "two-gaussians is the problem of the authors' own program: two classes of Gaussian rows with 30 features,"
                    + " 300 rows per node, sigma = 0.1 and tau = 5, on a grid of 9 nodes.",
            "time-against-n measures what the paper states without a plot: the idealised time to reach 1e-4 with more"
                    + " and more nodes of 1000 rows each, next to the predicted time.",
            "worst-case runs methods on the functions of Theorem 1, next to the time that no method can beat.",
            "A proximal step (one update from one row) takes 1, a message tau."
        },
        footer = {
            "",
            "Examples:",
            "  starling reproduce figure-a --higgs HIGGS.bz2 --svg figure-a.svg",
            "  starling reproduce figure-c --covtype covtype.libsvm.binary.scale.bz2 --report figure-c.html",
            "  starling reproduce figure-b                 # on generated rows that stand in for Higgs",
            "  starling reproduce two-gaussians --nodes 16 --seed 1,2,3,4,5",
            "  starling reproduce time-against-n --covtype covtype.libsvm.binary.scale.bz2 --svg time.svg",
            "  starling reproduce time-against-n --replicated --algorithms adfs-theory,adfs",
            "  starling reproduce worst-case --algorithms adfs-theory,msda,dsba --svg worst-case.svg",
            "",
            "Ctrl-C and SIGTERM stop it and print the curves so far."
        })
public final class ReproduceCommand extends ConsoleCommand {

    private static final int USUAL_POINTS = 40;
    private static final double USUAL_GAP = 1e-7;

    private static final String SWEEP = "time-against-n";
    private static final int SWEEP_SAMPLES_PER_NODE = 1000;
    private static final double SWEEP_GAP = 1e-4;
    private static final int SWEEP_POINTS = 200;

    private static final String GAUSSIANS = "two-gaussians";
    private static final double GAUSSIAN_TIME = 1e5;
    private static final double GAUSSIAN_GAP = 1e-6;
    private static final int GAUSSIAN_POINTS = 200;

    private static final String WORST_CASE = "worst-case";
    private static final double WORST_CASE_PRECISION = 1e-4;

    private static List<String> figures() {
        return Stream.concat(
                        Arrays.stream(PaperFigure.values()).map(PaperFigure::text),
                        Stream.of(GAUSSIANS, SWEEP, WORST_CASE))
                .toList();
    }

    /** Completion candidates for the figure. */
    static final class Figures implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return figures().iterator();
        }
    }

    @Parameters(
            index = "0",
            paramLabel = "FIGURE",
            completionCandidates = Figures.class,
            description =
                    "What to reproduce: figure-a, figure-b, figure-c, two-gaussians, time-against-n or worst-case.")
    private String name;

    @Option(
            names = "--higgs",
            paramLabel = "FILE",
            description =
                    "File with the Higgs rows, for figure-a, figure-b and time-against-n (default: generated rows).")
    private Path higgs;

    @Option(
            names = "--covtype",
            paramLabel = "FILE",
            description = "File with the Covtype rows (covtype.libsvm.binary.scale), for figure-c and time-against-n"
                    + " (default: generated rows).")
    private Path covtype;

    @Option(
            names = "--algorithms",
            paramLabel = "NAME,...",
            description =
                    "Methods to run (default: adfs-theory,adfs-local,msda,dsba,point-saga, as in the paper's plots;"
                            + " adfs-theory in time-against-n and worst-case).")
    private String algorithms;

    @Option(
            names = "--rows-per-node",
            paramLabel = "M",
            description = "Rows of every node, fewer for a quick look (default: 10000, as in the paper; 300 in"
                    + " two-gaussians; 1000 in time-against-n).")
    private Integer samplesPerNode;

    @Option(names = "--nodes", paramLabel = "N", description = "Number of nodes, instead of the figure's own.")
    private Integer nodes;

    @Option(
            names = "--nodes-list",
            paramLabel = "N,...",
            description = "Numbers of nodes for time-against-n, on grids (default: 1,4,9,16,36,64,100,196,400).")
    private String nodesList;

    @Option(
            names = "--replicated",
            description =
                    "In time-against-n, give all nodes the same rows: Section 4.3 of the paper, in which nodes need"
                            + " not speak to each other and ADFS does not know it.")
    private boolean replicated;

    @Mixin
    private ComparisonOptions options;

    @Override
    public Integer call() {
        options.check(inputs());
        if (samplesPerNode != null && samplesPerNode < 1) {
            throw new InvalidInputException("--rows-per-node " + samplesPerNode + "; there must be at least one");
        }
        if (replicated && !name.equals(SWEEP)) {
            throw new InvalidInputException("--replicated is for " + SWEEP + "; " + name + " has its own rows");
        }
        return switch (name) {
            case SWEEP -> sweep();
            case WORST_CASE -> worstCase();
            case GAUSSIANS -> gaussians();
            default -> figure();
        };
    }

    private int figure() {
        PaperFigure figure = PaperFigure.named(name, figures());
        refuseSizes();
        Optional<Path> file = file(figure);
        int samples = samplesPerNode == null ? PaperFigure.SAMPLES_PER_NODE : samplesPerNode;
        Network network = grid(figure.nodes());
        ComparisonRun run = run(
                figure.data().title(file),
                figure.data().source(file),
                PaperFigure.LAMBDA,
                network,
                samples,
                new ComparisonRun.Defaults(
                        USUAL_POINTS,
                        OptionalDouble.of(figure.time() * samples / PaperFigure.SAMPLES_PER_NODE),
                        OptionalDouble.of(USUAL_GAP)));
        run.check();
        return withRows(
                figure.data(),
                file,
                samples,
                (base, bar) -> run.run(
                        RandomShares.forNodes(
                                base, network.size(), samples, options.seeds().get(0)),
                        bar,
                        out(),
                        err()));
    }

    /** Runs with the rows and settings of the program that the paper's authors published. */
    private int gaussians() {
        refuseFiles();
        refuseSizes();
        int samples = samplesPerNode == null ? TwoGaussians.SAMPLES_PER_NODE : samplesPerNode;
        Network network = grid(TwoGaussians.NODES);
        ComparisonRun run = run(
                "two Gaussian classes",
                "two Gaussian classes with " + TwoGaussians.FEATURES + " features",
                TwoGaussians.SIGMA / samples,
                network,
                samples,
                new ComparisonRun.Defaults(
                        GAUSSIAN_POINTS, OptionalDouble.of(GAUSSIAN_TIME), OptionalDouble.of(GAUSSIAN_GAP)));
        run.check();
        return withBar(bar -> run.run(
                TwoGaussians.rows(
                        network.size() * samples,
                        TwoGaussians.FEATURES,
                        options.seeds().get(0)),
                bar,
                out(),
                err()));
    }

    private Network grid(int usual) {
        return Topology.named("grid").build(nodes == null ? usual : nodes, 1);
    }

    /** Uses the rows of a file once they are read. */
    private interface Use {
        int of(Dataset rows, Optional<ComparisonProgress> bar);
    }

    private int withRows(PaperData data, Optional<Path> file, int samples, Use use) {
        return withBar(bar -> {
            Dataset base = ComparisonRun.labelled(
                    data.read(file, (done, total) -> bar.ifPresent(shown -> shown.read(done, total))),
                    new Logistic(),
                    data.source(file));
            if (base.rows() < samples) {
                throw new InvalidInputException(data.source(file) + ": " + base.rows()
                        + " rows, but every node draws " + samples
                        + " of them; use a larger file or a smaller --rows-per-node");
            }
            return use.of(base, bar);
        });
    }

    private int withBar(ToIntFunction<Optional<ComparisonProgress>> use) {
        Optional<ComparisonProgress> bar = ComparisonProgress.onTerminal(Terminal.ofStandardError(), options.quiet());
        try {
            return use.applyAsInt(bar);
        } finally {
            bar.ifPresent(ComparisonProgress::close);
        }
    }

    private int sweep() {
        NodeSweep.Settings settings = sweepSettings();
        NodeSweep.check(settings);
        return withRows(sweepData(), sweepFile(), settings.samplesPerNode(), (base, bar) -> {
            bar.ifPresent(ComparisonProgress::close);
            StopSignal stop = StopSignal.manual();
            NodeSweep result = Interrupts.handled(
                    stop::request,
                    () -> NodeSweep.measure(settings, base, size -> log(NodeSweepReport.text(size)), stop));
            return delivered(new NodeSweepReport(result), result.complete(), "the sizes");
        });
    }

    private int worstCase() {
        refuseFiles();
        refuseSizes();
        refuse("--rows-per-node", samplesPerNode, "its functions are those of the theorem");
        refuse("--nodes", nodes, "its lines of nodes are given");
        refuse("--time", options.time().map(Json::text).orElse(null), "its methods run until they reach the precision");
        refuseGradient();
        refusePage();
        List<String> methods = ComparisonOptions.words(algorithms == null ? WorstCaseTable.OWN : algorithms);
        Comparison.checkMethods(new Squared(), 0, Topology.named("line").build(3, 1), Conditions.usual(1), methods);
        StopSignal stop = StopSignal.manual();
        WorstCaseTable result = Interrupts.handled(
                stop::request,
                () -> WorstCaseTable.measure(
                        methods,
                        options.gap().orElse(WORST_CASE_PRECISION),
                        options.seeds(),
                        line -> log(WorstCaseReport.text(line)),
                        stop::isRaised));
        return delivered(new WorstCaseReport(result), result.complete(), "the cases");
    }

    private void log(String line) {
        if (!options.quiet()) {
            err().println(line);
        }
    }

    private int delivered(Measurements result, boolean complete, String what) {
        options.deliver(result, out(), err());
        if (!complete) {
            throw new RunFailure("interrupted: these are " + what + " so far");
        }
        return Main.DONE;
    }

    private NodeSweep.Settings sweepSettings() {
        if (higgs != null && covtype != null) {
            throw new InvalidInputException("--higgs " + higgs + " and --covtype " + covtype
                    + " both say where the rows are; give one of them");
        }
        if (nodes != null) {
            throw new InvalidInputException("--nodes " + nodes + "; " + SWEEP
                    + " is about several sizes: give --nodes-list, such as 1,4,16,64");
        }
        refuseGradient();
        refusePage();
        int samples = samplesPerNode == null ? SWEEP_SAMPLES_PER_NODE : samplesPerNode;
        return new NodeSweep.Settings(
                SWEEP + ": " + sweepData().title(sweepFile()) + ", m = " + samples + " rows per node"
                        + (replicated ? ", the same at every node" : "") + ", tau = " + Json.text(PaperFigure.TAU),
                sweepData().source(sweepFile()),
                samples,
                PaperFigure.LAMBDA,
                PaperFigure.TAU,
                options.gap().orElse(SWEEP_GAP),
                options.points().orElse(SWEEP_POINTS),
                options.watch(),
                options.time().isPresent() ? OptionalDouble.of(options.time().get()) : OptionalDouble.empty(),
                ComparisonOptions.words(algorithms == null ? "adfs-theory" : algorithms),
                options.seeds(),
                NodeSweepReport.sizes(nodesList),
                replicated);
    }

    private PaperData sweepData() {
        return higgs != null ? PaperData.HIGGS : PaperData.COVTYPE;
    }

    private Optional<Path> sweepFile() {
        return Optional.ofNullable(higgs != null ? higgs : covtype);
    }

    private Optional<Path> file(PaperFigure figure) {
        boolean fromHiggs = figure.data() == PaperData.HIGGS;
        Path other = fromHiggs ? covtype : higgs;
        if (other != null) {
            PaperData wrong = fromHiggs ? PaperData.COVTYPE : PaperData.HIGGS;
            String right = figure.data().text();
            throw new InvalidInputException(figure.text() + " is made from " + right + "; give --" + right
                    + " FILE instead of --" + wrong.text() + " " + other);
        }
        return Optional.ofNullable(fromHiggs ? higgs : covtype);
    }

    private void refuse(String option, Object value, String why) {
        if (value != null) {
            throw new InvalidInputException(option + " " + value + " does not apply to " + name + ": " + why);
        }
    }

    private void refuseFiles() {
        refuse("--higgs", higgs, "it reads no rows");
        refuse("--covtype", covtype, "it reads no rows");
    }

    private void refuseSizes() {
        if (nodesList != null) {
            throw new InvalidInputException(
                    "--nodes-list " + nodesList + " is for " + SWEEP + "; give --nodes for another size of " + name);
        }
    }

    private void refuseGradient() {
        refuse("--gradient", options.gradient().map(Json::text).orElse(null), "it stops at a gap");
    }

    private void refusePage() {
        if (options.report().isPresent()) {
            throw new InvalidInputException("--report " + options.report().get() + " is a page of curves over time, of"
                    + " which " + name + " has none; use --svg or --json");
        }
    }

    private ComparisonRun run(
            String title, String source, double lambda, Network network, int samples, ComparisonRun.Defaults defaults) {
        return new ComparisonRun(
                name + ": " + title + ", n = " + network.size() + ", m = " + samples + ", sigma = "
                        + NumberFormats.shortText(lambda * samples) + ", tau = " + Json.text(PaperFigure.TAU),
                source,
                new Logistic(),
                lambda,
                0,
                network,
                Dealing.TURNS,
                Conditions.usual(PaperFigure.TAU),
                ComparisonOptions.words(algorithms == null ? String.join(",", PaperFigure.METHODS) : algorithms),
                options,
                defaults);
    }
}
