package dev.starling.cli.compare;

import dev.starling.cli.Main;
import dev.starling.cli.console.Interrupts;
import dev.starling.cli.console.Json;
import dev.starling.cli.console.RunFailure;
import dev.starling.cli.console.Terminal;
import dev.starling.data.Dataset;
import dev.starling.data.DatasetReader;
import dev.starling.data.Generator;
import dev.starling.data.InvalidInputException;
import dev.starling.lab.comparison.RandomShares;
import dev.starling.loss.Logistic;
import dev.starling.network.Network;
import dev.starling.network.Timing;
import dev.starling.network.Topology;
import dev.starling.runtime.StopSignal;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
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

/** Makes the paper's plots again. */
@Command(
        name = "reproduce",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Makes the plots of the ADFS paper again.",
            "They show logistic regression on a 2-D grid, with 10000 rows per node drawn at random (nodes may share"
                    + " rows), sigma = 1 (lambda = 1e-4) and tau = 5. figure-a: Higgs, 4 nodes; figure-b: Higgs, 100"
                    + " nodes; figure-c: Covtype, 100 nodes.",
            "time-against-n measures what the paper says in words: the idealised time to 1e-4, for more and more nodes"
                    + " with 1000 rows each, beside the predicted time. A proximal step (one update from one row) takes"
                    + " 1, a message tau."
        },
        footer = {
            "",
            "Examples:",
            "  starling reproduce figure-a --higgs HIGGS.bz2 --svg figure-a.svg",
            "  starling reproduce figure-c --covtype covtype.libsvm.binary.scale.bz2 --report figure-c.html",
            "  starling reproduce figure-b            # on generated rows that stand in for Higgs",
            "  starling reproduce time-against-n --covtype covtype.libsvm.binary.scale.bz2 --svg time.svg",
            "",
            "Ctrl-C and SIGTERM end it with the curves so far."
        })
public final class ReproduceCommand implements Callable<Integer> {

    private static final double LAMBDA = 1e-4;
    private static final double TAU = 5;
    private static final int SAMPLES_PER_NODE = 10_000;
    private static final String SWEEP = "time-against-n";
    private static final int SWEEP_SAMPLES_PER_NODE = 1000;
    private static final double SWEEP_GAP = 1e-4;
    private static final int SWEEP_POINTS = 200;
    private static final String PAPER = "adfs,adfs-local,msda,dsba,point-saga";
    private static final int USUAL_POINTS = 40;
    private static final double USUAL_GAP = 1e-7;
    private static final int STAND_IN_ROWS = 100_000;

    /** One of the plots. */
    private record Figure(String name, String data, int nodes, double time) {}

    private static final List<Figure> FIGURES = List.of(
            new Figure("figure-a", "higgs", 4, 6e5),
            new Figure("figure-b", "higgs", 100, 6e5),
            new Figure("figure-c", "covtype", 100, 5e5));

    private static List<String> figures() {
        return Stream.concat(FIGURES.stream().map(Figure::name), Stream.of(SWEEP))
                .toList();
    }

    /** What a shell offers as the figure. */
    static final class Figures implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return figures().iterator();
        }
    }

    @Spec
    private CommandSpec spec;

    @Parameters(
            index = "0",
            paramLabel = "FIGURE",
            completionCandidates = Figures.class,
            description = "figure-a, figure-b, figure-c or time-against-n.")
    private String name;

    @Option(
            names = "--higgs",
            paramLabel = "FILE",
            description = "The Higgs rows, for figure-a, figure-b and time-against-n (default: generated rows).")
    private Path higgs;

    @Option(
            names = "--covtype",
            paramLabel = "FILE",
            description = "The Covtype rows (covtype.libsvm.binary.scale), for figure-c and time-against-n (default:"
                    + " generated rows).")
    private Path covtype;

    @Option(
            names = "--algorithms",
            paramLabel = "NAME,...",
            description = "Methods to run (default: adfs,adfs-local,msda,dsba,point-saga, those of the paper's plots;"
                    + " adfs in time-against-n).")
    private String algorithms;

    @Option(
            names = "--rows-per-node",
            paramLabel = "M",
            description =
                    "Rows of every node (default: 10000, as in the paper; 1000 in time-against-n; fewer for a quick"
                            + " look).")
    private Integer samplesPerNode;

    @Option(names = "--nodes", paramLabel = "N", description = "Number of nodes, instead of the figure's own.")
    private Integer nodes;

    @Option(
            names = "--nodes-list",
            paramLabel = "N,...",
            description = "Numbers of nodes for time-against-n, on grids (default: 1,4,9,16,36,64,100,196,400).")
    private String nodesList;

    @Mixin
    private ComparisonOptions options;

    @Override
    public Integer call() {
        options.check(Stream.of(higgs, covtype).filter(Objects::nonNull).toList());
        if (samplesPerNode != null && samplesPerNode < 1) {
            throw new InvalidInputException("--rows-per-node " + samplesPerNode + "; there must be at least one");
        }
        return name.equals(SWEEP) ? sweep() : figure();
    }

    private int figure() {
        Figure figure = FIGURES.stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow(() -> InvalidInputException.unknownName("figure", name, figures()));
        if (nodesList != null) {
            throw new InvalidInputException(
                    "--nodes-list " + nodesList + " is for " + SWEEP + "; give --nodes for another size of " + name);
        }
        Optional<Path> file = file(figure);
        int samples = samplesPerNode == null ? SAMPLES_PER_NODE : samplesPerNode;
        Network network = Topology.named("grid").build(nodes == null ? figure.nodes() : nodes, 1);
        ComparisonRun run = run(figure, file, network, samples);
        run.check();
        return withRows(
                figure.data(),
                file,
                samples,
                (base, bar) -> run.run(
                        RandomShares.forNodes(
                                base, network.size(), samples, options.seeds().get(0)),
                        bar,
                        spec.commandLine().getOut(),
                        spec.commandLine().getErr()));
    }

    /** What is done with the rows of a file once they are read. */
    private interface Use {
        int of(Dataset rows, Optional<ComparisonProgress> bar);
    }

    private int withRows(String kind, Optional<Path> file, int samples, Use use) {
        Optional<ComparisonProgress> bar = ComparisonProgress.onTerminal(Terminal.ofStandardError(), options.quiet());
        try {
            Dataset base = ComparisonRun.labelled(
                    file.map(path -> DatasetReader.standard()
                                    .progress((done, total) -> bar.ifPresent(shown -> shown.read(done, total)))
                                    .read(path))
                            .orElseGet(() -> standIn(kind)),
                    new Logistic(),
                    source(kind, file));
            if (base.rows() < samples) {
                throw new InvalidInputException(source(kind, file) + ": " + base.rows() + " rows, but every node draws "
                        + samples + " of them; use a larger file or a smaller --rows-per-node");
            }
            return use.of(base, bar);
        } finally {
            bar.ifPresent(ComparisonProgress::close);
        }
    }

    private int sweep() {
        NodeSweep.Settings settings = sweepSettings();
        NodeSweep.check(settings);
        String kind = higgs != null ? "higgs" : "covtype";
        Optional<Path> file = Optional.ofNullable(higgs != null ? higgs : covtype);
        PrintWriter err = spec.commandLine().getErr();
        return withRows(kind, file, settings.samplesPerNode(), (base, bar) -> {
            bar.ifPresent(ComparisonProgress::close);
            StopSignal stop = StopSignal.manual();
            Optional<PrintWriter> log = options.quiet() ? Optional.empty() : Optional.of(err);
            NodeSweep result = Interrupts.handled(stop::request, () -> NodeSweep.measure(settings, base, log, stop));
            options.deliver(result, spec.commandLine().getOut(), err);
            if (!result.complete()) {
                throw new RunFailure("interrupted: these are the sizes so far");
            }
            return Main.DONE;
        });
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
        if (options.report().isPresent()) {
            throw new InvalidInputException("--report " + options.report().get() + " is a page of curves over time, of"
                    + " which " + SWEEP + " has none; use --svg or --json");
        }
        int samples = samplesPerNode == null ? SWEEP_SAMPLES_PER_NODE : samplesPerNode;
        String kind = higgs != null ? "higgs" : "covtype";
        Optional<Path> file = Optional.ofNullable(higgs != null ? higgs : covtype);
        return new NodeSweep.Settings(
                SWEEP + ": " + what(kind, file) + ", m = " + samples + " rows per node, tau = " + Json.text(TAU),
                source(kind, file),
                samples,
                LAMBDA,
                TAU,
                options.gap().orElse(SWEEP_GAP),
                options.points().orElse(SWEEP_POINTS),
                options.watch(),
                options.time().isPresent() ? OptionalDouble.of(options.time().get()) : OptionalDouble.empty(),
                ComparisonOptions.words(algorithms == null ? "adfs" : algorithms),
                options.seeds(),
                sizes());
    }

    /** In growing order: the first sizes are the quick ones, and there if one does not want to wait for the others. */
    private List<Integer> sizes() {
        String text = nodesList == null ? "1,4,9,16,36,64,100,196,400" : nodesList;
        try {
            List<Integer> sizes = ComparisonOptions.words(text).stream()
                    .map(Integer::valueOf)
                    .sorted()
                    .distinct()
                    .toList();
            if (sizes.get(0) >= 1) {
                return sizes;
            }
        } catch (NumberFormatException e) {
            throw new InvalidInputException(malformedSizes(text), e);
        }
        throw new InvalidInputException(malformedSizes(text));
    }

    private static String malformedSizes(String text) {
        return "--nodes-list '" + text + "' must be numbers of nodes with commas, such as 1,4,16,64";
    }

    private Optional<Path> file(Figure figure) {
        Path given = figure.data().equals("higgs") ? higgs : covtype;
        Path other = figure.data().equals("higgs") ? covtype : higgs;
        if (other != null) {
            throw new InvalidInputException(
                    figure.name() + " is made from " + figure.data() + "; give --" + figure.data() + " FILE instead of "
                            + (figure.data().equals("higgs") ? "--covtype " : "--higgs ") + other);
        }
        return Optional.ofNullable(given);
    }

    private static String source(String kind, Optional<Path> file) {
        return file.map(Path::toString).orElse("generated rows that stand in for " + kind);
    }

    /** Rows with the shape of the real ones: 28 dense features, ill conditioned, or 54 with few of them filled. */
    private static Dataset standIn(String kind) {
        return kind.equals("higgs")
                ? Generator.classification(STAND_IN_ROWS, 28)
                        .conditioning(100)
                        .noise(0.3)
                        .generate()
                : Generator.classification(STAND_IN_ROWS, 54)
                        .density(0.22)
                        .conditioning(10)
                        .noise(0.2)
                        .generate();
    }

    private static String what(String kind, Optional<Path> file) {
        String name = kind.equals("higgs") ? "Higgs" : "Covtype";
        return file.isPresent() ? name : "stand-in for " + name;
    }

    private ComparisonRun run(Figure figure, Optional<Path> file, Network network, int samples) {
        String title = figure.name() + ": " + what(figure.data(), file) + ", n = " + network.size() + ", m = " + samples
                + ", sigma = " + Json.text(LAMBDA * samples) + ", tau = " + Json.text(TAU);
        return new ComparisonRun(
                title,
                source(figure.data(), file),
                new Logistic(),
                LAMBDA,
                0,
                Timing.even(TAU),
                false,
                network,
                ComparisonOptions.words(algorithms == null ? PAPER : algorithms),
                options,
                new ComparisonRun.Defaults(
                        USUAL_POINTS,
                        OptionalDouble.of(figure.time() * samples / SAMPLES_PER_NODE),
                        OptionalDouble.of(USUAL_GAP)));
    }
}
