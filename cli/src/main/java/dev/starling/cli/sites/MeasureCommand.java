package dev.starling.cli.sites;

import dev.starling.cli.Main;
import dev.starling.cli.console.ConsoleCommand;
import dev.starling.cli.console.Json;
import dev.starling.cli.console.RunFailure;
import dev.starling.cli.options.JsonOption;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.node.Measurement;
import dev.starling.peer.node.Peer;
import dev.starling.peer.node.PeerStoppedException;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Path;
import java.util.Map;
import java.util.OptionalDouble;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Measures the steps and links of a network of peers. */
@Command(
        name = "measure",
        description = {
            "Measures how long a step and a message between sites take, and what tau is.",
            "Start it at every site, as you would start 'peer'. Nothing is trained or written, and nothing is summed over"
                    + " rows: all that leaves a site are its training settings and the times of its step and slowest link."
        },
        footer = {
            "",
            "Examples:",
            "  starling measure a.yaml",
            "  starling measure a.yaml --method adfs --json",
            "",
            "Exit codes: 0 done, 2 something must be changed first, 75 a site was missing; start all again."
        })
public final class MeasureCommand extends ConsoleCommand {

    private static final MathContext DIGITS = new MathContext(3);

    @Parameters(index = "0", paramLabel = "SITE.YAML", description = "The site's file.")
    private Path file;

    @Option(
            names = "--method",
            paramLabel = "NAME",
            description = "The method whose step is measured, the same at all sites (default: as the site's file says)."
                    + " The unit of idealised time in compare and plan is a step of adfs.")
    private String method;

    @Mixin
    private JsonOption json;

    @Mixin
    private LogOptions log;

    @Override
    public Integer call() {
        LogOptions.silenceTransport();
        SiteConfig config = Passwords.unlocked(SiteConfig.read(file));
        Settings training = method == null
                ? config.training()
                : config.training().with(Setting.METHOD, method).checked();
        try {
            Measurement measured = new Peer(config, log.logger(false)).measure(training);
            if (json.isGiven()) {
                printJson(measured);
            } else {
                print(measured, training.delay());
            }
            return Main.DONE;
        } catch (PeerStoppedException e) {
            throw PeerCommand.failure(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw RunFailure.passing("the measurement at site " + config.site() + " was interrupted", e);
        }
    }

    private void printJson(Measurement measured) {
        Json.print(out(), object -> {
            object.with("site", measured.site());
            object.with("method", measured.method());
            object.with("stepMicros", measured.stepMicros());
            object.with("stepNotMeasured", measured.objection());
            object.with("numbers", measured.numbers());
            object.objects("links", measured.linkMicros().entrySet(), (link, entry) -> {
                link.with("neighbour", entry.getKey());
                link.with("micros", entry.getValue());
            });
            object.with("slowestStepMicros", measured.slowestStepMicros());
            object.with("slowestLinkMicros", measured.slowestLinkMicros());
            object.with("tau", measured.tau());
            object.with("unitMicros", measured.slowestStepMicros());
        });
    }

    private void print(Measurement measured, OptionalDouble given) {
        PrintWriter out = out();
        out.println("step       "
                + (measured.objection().isEmpty()
                        ? micros(measured.stepMicros()) + " for a step of " + measured.method() + " at site "
                                + measured.site()
                        : "not measured at site " + measured.site() + ": " + measured.objection()));
        for (Map.Entry<String, Double> link : measured.linkMicros().entrySet()) {
            out.println("link       " + micros(link.getValue()) + " to site " + link.getKey() + ", one way, for "
                    + measured.numbers() + " numbers");
        }
        out.println("slowest    " + micros(measured.slowestStepMicros()) + " for a step and "
                + micros(measured.slowestLinkMicros()) + " for a message, over all sites");
        out.println("tau        " + Json.text(measured.tau()) + ", which 'tau: auto' would take"
                + (given.isPresent() ? "; the site's file says " + Json.text(given.getAsDouble()) + " instead" : ""));
        out.println("time       1 unit of idealised time is " + micros(measured.slowestStepMicros()) + ": multiply by "
                + rounded(measured.slowestStepMicros() * 1e-6) + " for seconds");
    }

    private static String micros(double micros) {
        return rounded(micros) + " microseconds";
    }

    private static String rounded(double value) {
        return Json.text(new BigDecimal(value).round(DIGITS).doubleValue());
    }
}
