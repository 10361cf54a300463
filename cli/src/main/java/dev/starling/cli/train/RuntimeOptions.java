package dev.starling.cli.train;

import dev.starling.cli.options.CompletionCandidates;
import dev.starling.cli.options.Section;
import dev.starling.cli.options.Under;
import dev.starling.data.InvalidInputException;
import dev.starling.runtime.Runner;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.Threads;
import picocli.CommandLine.Option;

/** The runtime that runs the nodes. */
@Under(Section.NODES)
final class RuntimeOptions {

    @Option(
            names = "--runtime",
            paramLabel = "RUNTIME",
            defaultValue = "threads",
            completionCandidates = CompletionCandidates.OfRuntime.class,
            description =
                    "What runs the nodes: threads or simulator (default: ${DEFAULT-VALUE}). Both give the same model.")
    private String runtime;

    @Option(names = "--threads", paramLabel = "N", description = "Use at most N threads (default: one per core).")
    private Integer threads;

    /** The name of the runtime. */
    String name() {
        return runtime;
    }

    /** The runtime itself. */
    Runner runner() {
        if (threads != null && threads < 1) {
            throw new InvalidInputException("--threads " + threads + "; there must be at least one");
        }
        return switch (runtime) {
            case "threads" -> threads == null ? new Threads() : new Threads(threads);
            case "simulator" -> new Simulator();
            default -> throw InvalidInputException.unknownName("runtime", runtime, CompletionCandidates.RUNTIMES);
        };
    }
}
