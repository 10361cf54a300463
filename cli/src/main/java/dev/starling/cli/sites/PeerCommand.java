package dev.starling.cli.sites;

import dev.starling.cli.Main;
import dev.starling.cli.console.Json;
import dev.starling.cli.console.Outputs;
import dev.starling.cli.console.RunFailure;
import dev.starling.cli.train.Explanation;
import dev.starling.cli.train.TrainReport;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.node.Peer;
import dev.starling.peer.node.PeerReport;
import dev.starling.peer.node.PeerStoppedException;
import dev.starling.peer.node.SiteCheck;
import dev.starling.peer.transport.Printable;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs one site of a network of peers. */
@Command(
        name = "peer",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Runs one site, which trains a model with the other sites.",
            "It talks only to its neighbours, and rows never leave it. Started again after a crash it resumes, and the"
                    + " result is the same."
        },
        footer = {
            "",
            "Examples:",
            "  starling network new --sites a,b,c,d --topology ring",
            "  starling peer a.yaml --check",
            "  starling peer a.yaml",
            "  starling peer a.yaml --json > result.json"
        })
public final class PeerCommand implements Callable<Integer> {

    private static final long LEAVE_SECONDS = 20;

    /**
     * gRPC's own logger, which writes a stack trace for every frame that is too long; what matters of that is among the
     * peer's events. It is this process' to switch off, not the library's.
     */
    private static final Logger TRANSPORT = Logger.getLogger("io.grpc");

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "SITE.YAML", description = "The site's file.")
    private Path file;

    @Option(names = "--check", description = "Check files, keys, addresses, data and neighbours, but do not train.")
    private boolean check;

    @Option(
            names = "--model",
            paramLabel = "FILE",
            description = "Where the model goes (default: as the site's file says).")
    private Path model;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Option(
            names = {"-q", "--quiet"},
            description = "Log warnings only.")
    private boolean quiet;

    @Override
    public Integer call() {
        TRANSPORT.setLevel(Level.OFF);
        SiteConfig config = unlocked(SiteConfig.read(file));
        return check ? check(config) : train(config);
    }

    /** Asks for the password of a key that is encrypted, once. */
    private static SiteConfig unlocked(SiteConfig config) {
        Path key = config.tls().key();
        return Files.exists(key) && config.tls().needsPassword()
                ? config.with(Passwords.ask(key, "write it into a file and name that as tls.password"))
                : config;
    }

    private int check(SiteConfig config) {
        PrintWriter out = spec.commandLine().getOut();
        List<SiteCheck.Finding> findings = SiteCheck.of(config);
        findings.forEach(finding ->
                out.println((finding.good() ? "ok    " : "WRONG ") + Printable.of(finding.text(), Integer.MAX_VALUE)));
        out.flush();
        long wrong = findings.stream().filter(finding -> !finding.good()).count();
        if (wrong > 0) {
            throw new RunFailure(wrong + " of " + findings.size() + " things are not as they should be");
        }
        return Main.DONE;
    }

    private int train(SiteConfig config) {
        System.Logger.Level least = quiet ? System.Logger.Level.WARNING : System.Logger.Level.INFO;
        Peer peer = new Peer(config, new LineLogger(standardError(), Clock.systemUTC(), least));
        Optional<Path> target = Optional.ofNullable(model).or(config::model);
        target.ifPresent(path ->
                Outputs.requireWritable(path, List.of(file, config.data().file())));
        CountDownLatch ended = new CountDownLatch(1);
        Thread leaving = new Thread(() -> leave(peer, ended), "starling-leave");
        Runtime.getRuntime().addShutdownHook(leaving);
        try {
            PeerReport report = peer.run(solved -> target.ifPresent(path -> write(solved, path)));
            print(config, report, target);
            return report.fit().isCertified() ? Main.DONE : Main.UNCERTIFIED;
        } catch (PeerStoppedException e) {
            throw new RunFailure(e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RunFailure("site " + config.site() + " was interrupted; start it again to resume");
        } finally {
            ended.countDown();
            forget(leaving);
        }
    }

    /** On SIGTERM and Ctrl-C: saves, leaves, and ends with the exit code of a run that was not certified. */
    private void leave(Peer peer, CountDownLatch ended) {
        peer.leave();
        try {
            boolean left = ended.await(LEAVE_SECONDS, TimeUnit.SECONDS);
            // What the command prints as it ends would otherwise be cut off.
            Thread.sleep(left ? 200 : 0);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        spec.commandLine().getErr().flush();
        Runtime.getRuntime().halt(Main.UNCERTIFIED);
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending already: the hook is what ends it.
            return;
        }
    }

    @SuppressWarnings("SystemOut")
    static PrintStream standardError() {
        return System.err;
    }

    private static void write(PeerReport report, Path path) {
        report.fit().model().save(path);
    }

    private void print(SiteConfig config, PeerReport report, Optional<Path> target) {
        PrintWriter out = spec.commandLine().getOut();
        TrainReport train = new TrainReport(
                config.data().file().toString(),
                report.rows(),
                config.training().lambda(),
                config.training().gap(),
                config.training().seed(),
                "peer",
                report.loadSeconds());
        if (!json) {
            train.print(out, report.fit());
            out.println("hash       " + report.fit().model().hash());
            out.flush();
            return;
        }
        Json.print(out, generator -> {
            train.write(generator, report.fit(), target, Explanation.NONE);
            generator.writeStringProperty("site", report.site());
            generator.writeNumberProperty("recoveries", report.recoveries());
            generator.writeNumberProperty("bytesSent", report.bytesSent());
            generator.writeNumberProperty("bytesReceived", report.bytesReceived());
            generator.writeNumberProperty("tauMeasuredMicros", report.tauMeasuredMicros());
            generator.writeNumberProperty("stepMicros", report.stepMicros());
        });
    }
}
