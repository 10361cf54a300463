package dev.starling.cli.sites;

import dev.starling.cli.Main;
import dev.starling.cli.console.ConsoleCommand;
import dev.starling.cli.console.Interrupts;
import dev.starling.cli.console.Outputs;
import dev.starling.cli.console.RunFailure;
import dev.starling.data.InvalidInputException;
import dev.starling.peer.metrics.Monitor;
import dev.starling.peer.metrics.StatusPage;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows all sites that one operator runs on one page. */
@Command(
        name = "watch",
        description = {
            "Shows the sites that you run on one page, for this machine's browsers.",
            "It asks each site at the address under 'monitoring:' in its file, changes nothing, and ends with Ctrl-C."
        },
        footer = {"", "Examples:", "  starling watch a.yaml b.yaml", "  starling watch a.yaml b.yaml --once"})
public final class WatchCommand extends ConsoleCommand {

    private static final long POLL_MILLIS = 1000;

    @Parameters(arity = "1..*", paramLabel = "SITE.YAML", description = "The sites' files.")
    private List<Path> files;

    @Option(
            names = "--port",
            paramLabel = "P",
            defaultValue = "0",
            description = "Port of the page on 127.0.0.1 (default: any free port).")
    private int port;

    @Option(
            names = "--once",
            description =
                    "Print one line per site and exit: with code 0 if all make progress, with 75 if one does not.")
    private boolean once;

    @Option(names = "--save", paramLabel = "OUT", description = "Write the page as it is now to a file, and exit.")
    private Path save;

    @Override
    public Integer call() {
        if (save != null) {
            Outputs.requireWritable(save, inputs());
        }
        List<WatchedSite> sites = files.stream().map(WatchedSite::of).toList();
        if (save != null) {
            String page = StatusPage.of(WatchedSite.reports(sites), false);
            Outputs.write(save, page);
            return Main.DONE;
        }
        return once ? printOnce(sites) : serve(sites);
    }

    private int printOnce(List<WatchedSite> sites) {
        PrintWriter out = out();
        int well = 0;
        for (WatchedSite site : sites) {
            WatchedSite.Health health = site.health();
            well += health.well() ? 1 : 0;
            out.printf("%-5s %s: %s%n", health.well() ? "ok" : "look", site.name(), health.text());
        }
        if (well < sites.size()) {
            throw RunFailure.passing(sites.size() - well + " of " + sites.size() + " sites make no progress", null);
        }
        return Main.DONE;
    }

    private int serve(List<WatchedSite> sites) {
        if (port < 0 || port > 65535) {
            throw new InvalidInputException("--port " + port + " must be between 0 and 65535");
        }
        CountDownLatch end = new CountDownLatch(1);
        try (Monitor monitor = Monitor.start(InetSocketAddress.createUnresolved("127.0.0.1", port))) {
            monitor.answer("/status", exchange -> Monitor.Answer.json(StatusPage.watched(WatchedSite.reports(sites))));
            monitor.answer("/", exchange -> Monitor.Answer.html(StatusPage.of(WatchedSite.reports(sites), true)));
            out().println("http://127.0.0.1:" + monitor.port() + "/");
            Interrupts.handled(end::countDown, () -> awaited(end));
        }
        return Main.DONE;
    }

    private static boolean awaited(CountDownLatch end) {
        try {
            boolean ended = false;
            while (!ended) {
                ended = end.await(POLL_MILLIS, TimeUnit.MILLISECONDS);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
