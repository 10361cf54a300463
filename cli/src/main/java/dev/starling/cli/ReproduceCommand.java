package dev.starling.cli;

import dev.starling.comparison.Draw;
import dev.starling.data.Dataset;
import dev.starling.data.DatasetReader;
import dev.starling.data.Generator;
import dev.starling.data.InvalidInputException;
import dev.starling.loss.Logistic;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
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
            "Makes one of the three plots of the ADFS paper again: logistic regression on a 2-D grid, 10000 rows per node",
            "drawn at random (those of different nodes may overlap), sigma = 1 (lambda = 1e-4), tau = 5.",
            "figure-a: Higgs, 4 nodes; figure-b: Higgs, 100 nodes; figure-c: Covtype, 100 nodes."
        },
        footer = {
            "",
            "Examples:",
            "  starling reproduce figure-a --higgs HIGGS.bz2 --svg figure-a.svg",
            "  starling reproduce figure-c --covtype covtype.libsvm.binary.scale.bz2 --report figure-c.html",
            "  starling reproduce figure-b            # on generated rows that stand in for Higgs",
            "",
            "Ctrl-C ends it with the curves so far."
        })
final class ReproduceCommand implements Callable<Integer> {

    private static final double LAMBDA = 1e-4;
    private static final double TAU = 5;
    private static final double SAMPLES_PER_NODE = 10_000;
    private static final int USUAL_POINTS = 40;
    private static final double USUAL_GAP = 1e-7;
    private static final int STAND_IN_ROWS = 100_000;

    /** One of the plots. */
    private record Figure(String name, String data, int nodes, double time) {}

    private static final List<Figure> FIGURES = List.of(
            new Figure("figure-a", "higgs", 4, 6e5),
            new Figure("figure-b", "higgs", 100, 6e5),
            new Figure("figure-c", "covtype", 100, 5e5));

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "FIGURE", description = "figure-a, figure-b or figure-c.")
    private String name;

    @Option(
            names = "--higgs",
            paramLabel = "FILE",
            description = "The Higgs rows, for figure-a and figure-b (default: generated rows).")
    private Path higgs;

    @Option(
            names = "--covtype",
            paramLabel = "FILE",
            description = "The Covtype rows (covtype.libsvm.binary.scale), for figure-c (default: generated rows).")
    private Path covtype;

    @Option(
            names = "--algorithms",
            paramLabel = "NAME,...",
            defaultValue = "adfs,adfs-local,msda,dsba,point-saga",
            description = "Methods to run (default: ${DEFAULT-VALUE}, those of the paper's plots).")
    private String algorithms;

    @Option(
            names = "--samples-per-node",
            paramLabel = "M",
            defaultValue = "10000",
            description = "Rows of every node (default: ${DEFAULT-VALUE}, as in the paper; fewer for a quick look).")
    private int samplesPerNode;

    @Option(names = "--nodes", paramLabel = "N", description = "Number of nodes, instead of the figure's own.")
    private Integer nodes;

    @Mixin
    private ComparisonOptions options;

    @Override
    public Integer call() {
        Figure figure = FIGURES.stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow(() -> InvalidInputException.unknownName(
                        "figure", name, FIGURES.stream().map(Figure::name).toList()));
        options.check();
        Optional<Path> file = file(figure);
        if (samplesPerNode < 1) {
            throw new InvalidInputException("--samples-per-node " + samplesPerNode + "; there must be at least one");
        }
        Network network = Topology.named("grid").build(nodes == null ? figure.nodes() : nodes, 1);
        ComparisonRun run = run(figure, file, network);
        run.check();
        Optional<ComparisonProgress> bar = ComparisonProgress.onTerminal(Terminal.ofStandardError(), options.quiet());
        try {
            Dataset base = ComparisonRun.labelled(
                    file.map(path -> DatasetReader.standard()
                                    .progress((done, total) -> bar.ifPresent(shown -> shown.read(done, total)))
                                    .read(path))
                            .orElseGet(() -> standIn(figure)),
                    new Logistic(),
                    source(figure, file));
            if (base.rows() < samplesPerNode) {
                throw new InvalidInputException(
                        source(figure, file) + ": " + base.rows() + " rows, but every node draws " + samplesPerNode
                                + " of them; use a larger file or a smaller --samples-per-node");
            }
            Dataset rows = Draw.forNodes(
                    base, network.size(), samplesPerNode, options.seeds().get(0));
            return run.run(
                    rows, bar, spec.commandLine().getOut(), spec.commandLine().getErr());
        } finally {
            bar.ifPresent(ComparisonProgress::close);
        }
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

    private static String source(Figure figure, Optional<Path> file) {
        return file.map(Path::toString).orElse("generated rows that stand in for " + figure.data());
    }

    /** Rows with the shape of the real ones: 28 dense features, ill conditioned, or 54 with few of them filled. */
    private static Dataset standIn(Figure figure) {
        return figure.data().equals("higgs")
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

    private ComparisonRun run(Figure figure, Optional<Path> file, Network network) {
        String what = figure.data().equals("higgs") ? "Higgs" : "Covtype";
        String title = figure.name() + ": " + (file.isPresent() ? what : "stand-in for " + what) + ", n = "
                + network.size() + ", m = " + samplesPerNode + ", sigma = " + Json.text(LAMBDA * samplesPerNode)
                + ", tau = " + Json.text(TAU);
        return new ComparisonRun(
                title,
                source(figure, file),
                new Logistic(),
                LAMBDA,
                0,
                TAU,
                network,
                ComparisonOptions.words(algorithms),
                options,
                new ComparisonRun.Defaults(
                        USUAL_POINTS,
                        OptionalDouble.of(figure.time() * samplesPerNode / SAMPLES_PER_NODE),
                        OptionalDouble.of(USUAL_GAP)));
    }
}
