package dev.starling.cli.playground;

import dev.starling.cli.Main;
import dev.starling.cli.console.ConsoleCommand;
import dev.starling.cli.console.Interrupts;
import dev.starling.cli.options.DataOptions;
import dev.starling.data.Dataset;
import dev.starling.data.Generator;
import dev.starling.data.InvalidInputException;
import dev.starling.data.Labels;
import dev.starling.network.Topology;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Serves a page on which methods race over networks that are drawn in the browser. */
@Command(
        name = "playground",
        description = {
            "Serves a page on which methods race over networks that are drawn in the browser.",
            "Draw nodes and edges, set tau, lambda, stragglers and failures with sliders, and watch the methods run in"
                    + " the simulator. Only browsers on this machine can connect, at 127.0.0.1."
        },
        footer = {
            "",
            "Examples:",
            "  starling playground",
            "  starling playground a9a.gz --topology ring --nodes 24 --port 8080",
            "",
            "Ctrl-C ends it."
        })
public final class PlaygroundCommand extends ConsoleCommand {

    private static final int GENERATED_ROWS = 2000;
    private static final int GENERATED_FEATURES = 20;

    /** With more rows, a race of many methods would take too long. */
    private static final int MOST_ROWS = 5000;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "FILE",
            description = "Rows of two classes in LIBSVM or CSV format; at most 5000 of them, evenly spread, are used"
                    + " (default: generated rows).")
    private Path file;

    @Option(
            names = "--topology",
            paramLabel = "TOPOLOGY",
            defaultValue = "grid",
            description = "Graph to start from (default: ${DEFAULT-VALUE}).")
    private String topology;

    @Option(
            names = "--nodes",
            paramLabel = "N",
            defaultValue = "16",
            description = "Number of nodes to start with, at most 64 (default: ${DEFAULT-VALUE}).")
    private int nodes;

    @Option(
            names = "--port",
            paramLabel = "P",
            defaultValue = "0",
            description = "Port on 127.0.0.1 (default: any free port).")
    private int port;

    @Mixin
    private DataOptions data;

    @Override
    public Integer call() {
        if (port < 0 || port > 65_535) {
            throw new InvalidInputException("--port " + port + "; a port is between 0 and 65535");
        }
        if (nodes < 2 || nodes > Race.MOST_NODES) {
            throw new InvalidInputException("--nodes " + nodes + "; there can be 2 to " + Race.MOST_NODES);
        }
        Topology.named(topology).build(nodes, 1);
        PlaygroundServer.Start start = new PlaygroundServer.Start(
                rows(), file == null ? "" : String.valueOf(file.getFileName()), topology, nodes);
        CountDownLatch ended = new CountDownLatch(1);
        try (PlaygroundServer server = PlaygroundServer.start(port, start)) {
            PrintWriter out = out();
            out.println("playground at " + server.address() + " (Ctrl-C ends it)");
            return Interrupts.handled(ended::countDown, () -> waitFor(ended));
        }
    }

    private static int waitFor(CountDownLatch ended) {
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Main.DONE;
    }

    private Dataset rows() {
        if (file == null) {
            return Generator.classification(GENERATED_ROWS, GENERATED_FEATURES)
                    .conditioning(10)
                    .generate();
        }
        Dataset read = data.read(file, 0, (done, total) -> {});
        Labels labels = Labels.classification(read);
        if (!labels.isBinary()) {
            throw new InvalidInputException(DataOptions.name(file) + ": there are "
                    + labels.classes().size() + " classes; methods race on two");
        }
        Dataset rows = labels.binary(read);
        int kept = Math.min(rows.rows(), MOST_ROWS);
        return rows.picked(IntStream.range(0, kept)
                        .map(k -> (int) ((long) k * rows.rows() / kept))
                        .toArray())
                .wellLaidOut();
    }
}
