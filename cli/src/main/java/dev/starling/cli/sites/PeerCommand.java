package dev.starling.cli.sites;

import dev.starling.cli.Main;
import dev.starling.cli.console.ConsoleCommand;
import dev.starling.cli.console.Json;
import dev.starling.cli.console.Outputs;
import dev.starling.cli.console.RunFailure;
import dev.starling.cli.options.JsonOption;
import dev.starling.cli.train.Explanation;
import dev.starling.cli.train.TrainReport;
import dev.starling.data.InvalidInputException;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.keys.KeyFiles;
import dev.starling.peer.node.FileRounds;
import dev.starling.peer.node.Peer;
import dev.starling.peer.node.PeerReport;
import dev.starling.peer.node.PeerStoppedException;
import dev.starling.peer.node.SiteCheck;
import dev.starling.peer.trust.Printable;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs one site of a network of peers. */
@Command(
        name = "peer",
        description = {
            "Runs one site, which trains a model with the other sites.",
            "It talks only to its neighbours, and rows never leave it. If it is started again after a crash, it"
                    + " resumes, and the result is the same."
        },
        footer = {
            "",
            "Examples:",
            "  starling network new --sites a,b,c,d --topology ring",
            "  starling peer a.yaml --check",
            "  starling peer a.yaml",
            "  starling peer a.yaml --page",
            "  starling peer a.yaml --json > result.json",
            "",
            "Exit codes: 0 done, 1 ended uncertified or failed, 2 something must be changed first,",
            "75 stopped with its state saved; start it again to continue."
        })
public final class PeerCommand extends ConsoleCommand {

    private static final long LEAVE_SECONDS = 20;

    @Parameters(index = "0", paramLabel = "SITE.YAML", description = "The site's file.")
    private Path file;

    @Option(
            names = "--check",
            description = "Check files, keys, addresses, disk, data, rules and neighbours, and print what a run would"
                    + " disclose about this site's rows; do not train.")
    private boolean check;

    @Option(
            names = "--page",
            description =
                    "Show the progress on a page for this machine's browsers; the log has its address. At the end the"
                            + " page is saved in the state directory.")
    private boolean page;

    @Option(
            names = "--by-files",
            arity = "2",
            paramLabel = "FOLDER",
            description = "Connect to nobody: write a file for the others in each round to the first folder, and read"
                    + " theirs from the second.")
    private List<Path> folders;

    @Option(
            names = "--model",
            paramLabel = "OUT",
            description = "Where to write the model (default: as the site's file says).")
    private Path model;

    @Mixin
    private JsonOption json;

    @Option(names = "--log-json", description = "Log one JSON object per event instead of keys and values.")
    private boolean logJson;

    @Mixin
    private LogOptions log;

    @Override
    public Integer call() {
        LogOptions.silenceTransport();
        SiteConfig config = Passwords.unlocked(SiteConfig.read(file));
        if (page && config.monitoring().isEmpty()) {
            config = config.withMonitoring(InetSocketAddress.createUnresolved("127.0.0.1", 0));
        }
        return check ? check(config) : folders != null ? carried(config) : train(config);
    }

    /** The end of a command whose site has stopped. */
    static RunFailure failure(PeerStoppedException e) {
        return e.isResumable() ? RunFailure.passing(e.getMessage(), e) : new RunFailure(e.getMessage(), e);
    }

    /** Takes part by files that people carry; ends when one is missing. */
    private int carried(SiteConfig config) {
        Optional<Path> target = Optional.ofNullable(model).or(config::model);
        target.ifPresent(path -> Outputs.requireWritable(path, readBy(config)));
        try {
            PeerReport report =
                    FileRounds.run(config, folders.get(0), folders.get(1), text -> err().println("note: " + text));
            target.ifPresent(path -> write(report, path));
            print(config, report, target);
            return report.fit().isCertified() ? Main.DONE : Main.UNCERTIFIED;
        } catch (PeerStoppedException e) {
            throw failure(e);
        }
    }

    private int check(SiteConfig config) {
        PrintWriter out = out();
        SiteCheck.Report report = SiteCheck.of(config);
        List<SiteCheck.Finding> findings = report.findings();
        if (json.isGiven()) {
            CheckJson.print(out, report);
        } else {
            findings.forEach(finding -> print(out, word(finding.verdict()), finding.text()));
            report.tells().ifPresent(tells -> tells.words(config.policy()).forEach(text -> print(out, "tells ", text)));
        }
        long wrong = count(findings, SiteCheck.Verdict.WRONG);
        if (wrong > 0) {
            throw new InvalidInputException(wrong + " of " + findings.size() + " checks failed");
        }
        long later = count(findings, SiteCheck.Verdict.LATER);
        if (later > 0) {
            throw RunFailure.passing(
                    "this site is ready; " + later + " of the sites it connects to " + (later == 1 ? "is" : "are")
                            + " not there yet",
                    null);
        }
        return Main.DONE;
    }

    private static void print(PrintWriter out, String word, String text) {
        out.println(word + Printable.of(text, Integer.MAX_VALUE));
    }

    private static String word(SiteCheck.Verdict verdict) {
        return switch (verdict) {
            case OK -> "ok    ";
            case NOTE -> "note  ";
            case LATER -> "later ";
            case WRONG -> "WRONG ";
        };
    }

    private static long count(List<SiteCheck.Finding> findings, SiteCheck.Verdict verdict) {
        return findings.stream().filter(finding -> finding.verdict() == verdict).count();
    }

    private List<Path> readBy(SiteConfig config) {
        KeyFiles keys = config.tls();
        List<Path> read =
                new ArrayList<>(List.of(file, config.data().file(), keys.authority(), keys.certificate(), keys.key()));
        keys.revoked().ifPresent(read::add);
        config.data().weights().ifPresent(read::add);
        return read;
    }

    private int train(SiteConfig config) {
        Peer peer = new Peer(config, log.logger(logJson));
        Optional<Path> target = Optional.ofNullable(model).or(config::model);
        target.ifPresent(path -> Outputs.requireWritable(path, readBy(config)));
        CountDownLatch ended = new CountDownLatch(1);
        AtomicInteger code = new AtomicInteger(Main.TRY_AGAIN);
        Thread leaving = new Thread(() -> leave(peer, ended, code), "starling-leave");
        Runtime.getRuntime().addShutdownHook(leaving);
        try {
            peer.run(report -> {
                // Written once as soon as it exists, and again with the signatures of all sites.
                target.ifPresent(path -> write(report, path));
                if (code.get() == Main.TRY_AGAIN) {
                    print(config, report, target);
                }
                code.set(report.fit().isCertified() ? Main.DONE : Main.UNCERTIFIED);
            });
            return code.get();
        } catch (PeerStoppedException e) {
            throw failure(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw RunFailure.passing("site " + config.site() + " was interrupted; start it again to resume", e);
        } finally {
            ended.countDown();
            forget(leaving);
        }
    }

    /** On SIGTERM and Ctrl-C: saves the state, leaves, and exits with a code that says whether to start again. */
    private void leave(Peer peer, CountDownLatch ended, AtomicInteger code) {
        peer.leave();
        try {
            boolean left = ended.await(LEAVE_SECONDS, TimeUnit.SECONDS);
            // Leaves the command time to print its last lines.
            Thread.sleep(left ? 200 : 0);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        err().flush();
        Runtime.getRuntime().halt(code.get());
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending already, by this very hook.
            return;
        }
    }

    private static void write(PeerReport report, Path path) {
        report.fit().model().save(path);
    }

    private void print(SiteConfig config, PeerReport report, Optional<Path> target) {
        PrintWriter out = out();
        TrainReport train = new TrainReport(
                config.data().file().toString(),
                report.rows(),
                config.training().gap(),
                config.training().seed(),
                "peer",
                report.loadSeconds());
        if (!json.isGiven()) {
            train.print(out, report.fit());
            out.println("hash       " + report.fit().model().hash());
            return;
        }
        Json.print(out, generator -> {
            train.write(generator, report.fit(), target, Explanation.NONE);
            generator.with("site", report.site());
            generator.with("recoveries", report.recoveries());
            generator.with("bytesSent", report.bytesSent());
            generator.with("bytesReceived", report.bytesReceived());
            generator.with("tauMeasuredMicros", report.tauMeasuredMicros());
            generator.with("stepMicros", report.stepMicros());
        });
    }
}
