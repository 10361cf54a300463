package dev.starling.spark.node;

import dev.starling.data.keys.Fingerprint;
import dev.starling.data.keys.RowKeys;
import dev.starling.internal.Version;
import dev.starling.job.NodeRows;
import dev.starling.node.Collectives;
import dev.starling.node.Sequence;
import dev.starling.node.State;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What tasks exchange before the job: whether a task objects to its rows, what has to be known about all rows and, if
 * there are checkpoints, which run this is and which is the newest state that every node has.
 */
final class ResumePhase extends Sequence<ResumePhase.Found> {

    /**
     * Where training begins.
     *
     * @param facts what is known about all rows
     * @param run the name of the run's checkpoints, a digest of everything that determines the run; empty if there are
     *     none
     * @param state the number of the newest state that every node has; 0 to start from scratch
     */
    record Found(double[] facts, String run, long state) {}

    /** The length of a digest of the rows and of what determines their folds. */
    private static final int DIGEST_BYTES = 16 + Long.BYTES;

    /** More facts than this cannot be sent. */
    private static final int MOST_FACTS = 1 << 27;

    private final Collectives nodes;
    private final Supplier<NodeRows> rows;
    private final Optional<StateFiles> files;
    private final TaskPlan plan;
    private double[] facts = {};

    /**
     * Creates the phase at its start.
     *
     * @param rows returns this node's rows, or throws an exception that says what is wrong with them
     */
    ResumePhase(Collectives nodes, Supplier<NodeRows> rows, Optional<StateFiles> files, TaskPlan plan) {
        super(new State.Owner(nodes.node(), 0, 0)); // this phase precedes the job and is never saved
        this.nodes = nodes;
        this.rows = rows;
        this.files = files;
        this.plan = plan;
    }

    @Override
    protected Step<?> begin() {
        return next(
                "facts",
                nodes.fold(() -> plan.decision().facts(rows.get().data()), plan.decision()::merged, MOST_FACTS),
                this::known);
    }

    private Step<?> known(double[] merged) {
        facts = merged;
        return files.isEmpty()
                ? done(new Found(facts, "", 0))
                : next("rows", nodes.gather(this::fingerprint, DIGEST_BYTES), this::named);
    }

    /** The fingerprint of this node's rows; computing it takes a while, and it is not needed without checkpoints. */
    private double[] fingerprint() {
        NodeRows own = rows.get();
        byte[] digest = ByteBuffer.allocate(DIGEST_BYTES)
                .put(HexFormat.of().parseHex(Fingerprint.of(own.data())))
                .putLong(Arrays.stream(own.keys()).reduce(0, RowKeys::mixed))
                .array();
        double[] words = new double[digest.length];
        Arrays.setAll(words, k -> digest[k]);
        return words;
    }

    private Step<?> named(double[] fingerprints) {
        MessageDigest digest = Fingerprint.sha256();
        for (double[] fingerprint : nodes.byNode(fingerprints)) {
            for (double word : fingerprint) {
                digest.update((byte) word);
            }
        }
        digest.update((plan.statesOf() + " " + Version.current()).getBytes(StandardCharsets.UTF_8));
        String run = HexFormat.of().formatHex(digest.digest(), 0, 16);
        return next(
                "states",
                nodes.gather(() -> states(run), StateFiles.KEPT),
                states -> done(new Found(facts, run, newestInCommon(nodes.byNode(states)))));
    }

    private double[] states(String run) {
        try {
            long[] numbers = files.orElseThrow().numbers(run, nodes.node());
            return Arrays.stream(numbers)
                    .skip(Math.max(0, numbers.length - StateFiles.KEPT))
                    .asDoubleStream()
                    .toArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long newestInCommon(List<double[]> states) {
        List<Double> inCommon =
                new ArrayList<>(Arrays.stream(states.get(0)).boxed().toList());
        for (double[] other : states) {
            inCommon.retainAll(Arrays.stream(other).boxed().toList());
        }
        return inCommon.stream().mapToLong(Double::longValue).max().orElse(0);
    }
}
