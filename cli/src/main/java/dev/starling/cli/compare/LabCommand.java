package dev.starling.cli.compare;

import dev.starling.cli.Main;
import dev.starling.cli.console.Json;
import dev.starling.cli.console.NumberFormats;
import dev.starling.cli.console.RunFailure;
import dev.starling.data.InvalidInputException;
import dev.starling.lab.apcg.RateTrial;
import dev.starling.lab.paper.FamilyTrial;
import dev.starling.network.Topology;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The parts of the paper that are about more than linear models. */
@Command(
        name = "lab",
        synopsisSubcommandLabel = "apcg|general",
        description = {
            "Runs the parts of the ADFS paper that go beyond linear models.",
            "Each is printed beside what is proven about it."
        },
        footer = {
            "",
            "Examples:",
            "  starling lab apcg",
            "  starling lab apcg corollary-2 --steps 1000 --svg apcg.svg",
            "  starling lab general group-lasso --nodes 16",
            "  starling lab general own-quadratics --topology ring --csv"
        })
public final class LabCommand {

    @Spec
    private CommandSpec spec;

    @Command(
            mixinStandardHelpOptions = true,
            description = {
                "Generalized APCG (Algorithms 1, 4 and 5) on a problem whose smooth part is strongly convex on a"
                        + " subspace only, with overlapping blocks of coordinates and uneven probabilities: the error,"
                        + " averaged over runs, beside its bound."
            })
    int apcg(
            @Parameters(
                            paramLabel = "GUARANTEE",
                            defaultValue = "corollary-1",
                            description = "theorem-2 (any A_0 and B_0, Algorithm 1), corollary-1 (strongly convex,"
                                    + " Algorithm 4) or corollary-2 (convex, Algorithm 5; default: ${DEFAULT-VALUE}).")
                    String guarantee,
            @Option(
                            names = "--runs",
                            paramLabel = "N",
                            defaultValue = "300",
                            description = "Average over N runs (default: ${DEFAULT-VALUE}).")
                    int runs,
            @Option(
                            names = "--steps",
                            paramLabel = "N",
                            defaultValue = "400",
                            description = "Steps of every run (default: ${DEFAULT-VALUE}).")
                    int steps,
            @Option(
                            names = "--seed",
                            paramLabel = "S",
                            defaultValue = "1",
                            description = "Which problem (default: ${DEFAULT-VALUE}).")
                    long seed,
            @Mixin CurveOutput output) {
        output.check(List.of());
        requireAtLeastOne("--runs", runs);
        requireAtLeastOne("--steps", steps);
        RateTrial trial = RateTrial.measure(RateTrial.Form.named(guarantee), seed, runs, steps);
        double worst = trial.moments().stream()
                .mapToDouble(moment -> moment.error() / moment.bound())
                .max()
                .orElseThrow();
        output.deliver(
                        new CurveTable(
                                "apcg: " + trial.form().text()
                                        + ", 8 coordinates of which 4 are free along a kernel, mean of " + runs
                                        + " runs",
                                "step",
                                trial.form().error(),
                                List.of("mean error", "bound"),
                                trial.moments().stream()
                                        .map(moment -> new double[] {moment.step(), moment.error(), moment.bound()})
                                        .toList(),
                                List.of(
                                        trial.rate() > 0
                                                ? "rho " + NumberFormats.shortText(trial.rate())
                                                        + ": the expected error falls by 1 - rho per step"
                                                : "the expected error falls like 1/t^2",
                                        "largest ratio of the mean error to its bound: "
                                                + NumberFormats.shortText(worst))),
                        spec.commandLine().getOut())
                .ifPresent(this::remark);
        return Main.DONE;
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = {
                "S-ADFS on functions of the whole parameter that have a proximal operator, instead of losses of rows:"
                        + " the largest proven gap of any node over idealised time (a proximal step takes 1, a message"
                        + " tau)."
            })
    int general(
            @Parameters(
                            paramLabel = "FAMILY",
                            description =
                                    "resource-allocation (sites that share resources agree on prices), group-lasso"
                                            + " (penalties on blocks of coefficients) or own-quadratics (another quadratic"
                                            + " omega_i at every node).")
                    String family,
            @Option(
                            names = "--nodes",
                            paramLabel = "N",
                            defaultValue = "9",
                            description = "Number of nodes (default: ${DEFAULT-VALUE}).")
                    int nodes,
            @Option(
                            names = "--topology",
                            paramLabel = "NAME",
                            defaultValue = "grid",
                            description = "Their graph, as in train (default: ${DEFAULT-VALUE}).")
                    String topology,
            @Option(
                            names = "--tau",
                            paramLabel = "T",
                            defaultValue = "5",
                            description = "What a message costs (default: ${DEFAULT-VALUE}).")
                    double tau,
            @Option(
                            names = "--gap",
                            paramLabel = "G",
                            defaultValue = "1e-9",
                            description =
                                    "Stop when every node is proven to be within G of the optimum, where the start"
                                            + " is 1 (default: ${DEFAULT-VALUE}).")
                    double gap,
            @Option(
                            names = "--seed",
                            paramLabel = "S",
                            defaultValue = "1",
                            description = "Seed of the problem and of all draws (default: ${DEFAULT-VALUE}).")
                    long seed,
            @Mixin CurveOutput output) {
        output.check(List.of());
        requireAtLeastOne("--nodes", nodes);
        if (!(tau >= 0) || Double.isInfinite(tau)) {
            throw new InvalidInputException("--tau " + Json.text(tau) + " must be 0 or more, and finite");
        }
        if (!(gap > 0 && gap < 1)) {
            throw new InvalidInputException("--gap " + Json.text(gap) + " must be between 0 and 1, for example 1e-9");
        }
        FamilyTrial trial = FamilyTrial.measure(
                FamilyTrial.Family.named(family), Topology.named(topology).build(nodes, seed), tau, gap, seed);
        double apart = 0;
        for (int c = 0; c < trial.theta().length; c++) {
            apart = Math.max(apart, Math.abs(trial.theta()[c] - trial.central()[c]));
        }
        output.deliver(
                        new CurveTable(
                                "general: " + trial.family().text() + ", n = " + nodes + ", " + topology + ", tau = "
                                        + Json.text(tau),
                                "time",
                                "largest proven gap of any node, relative to the start",
                                List.of("adfs", "theory's rate"),
                                trial.moments().stream()
                                        .map(moment -> new double[] {
                                            moment.time(),
                                            moment.gap(),
                                            StrictMath.pow(10, -moment.time() / trial.timePerDigit())
                                        })
                                        .toList(),
                                List.of(
                                        "predicted time per digit " + NumberFormats.shortText(trial.timePerDigit()),
                                        "the first node's parameter differs from what one machine finds by at most "
                                                + NumberFormats.shortText(apart))),
                        spec.commandLine().getOut())
                .ifPresent(this::remark);
        if (!trial.reached()) {
            throw new RunFailure("the gap of " + Json.text(gap) + " was not reached in 20 times the predicted time");
        }
        return Main.DONE;
    }

    private void remark(String text) {
        spec.commandLine().getErr().println(text);
    }

    private static void requireAtLeastOne(String option, int value) {
        if (value < 1) {
            throw new InvalidInputException(option + " " + value + "; there must be at least one");
        }
    }
}
