package dev.starling.bench;

import dev.starling.loss.Losses;
import dev.starling.method.adfs.Adfs;
import dev.starling.method.adfs.tuning.Tuning;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.problem.Conditioning;
import dev.starling.problem.LocalProblem;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One proximal step of ADFS at a single node, amortised, including drawing, cache misses and folding. The run continues
 * across invocations, so after the first few passes its warm starts are as good as in training.
 */
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
public class ProximalStepBenchmark extends RowsBenchmark {

    /** A single node returns to its driver after this many steps, or after a pass if that is shorter. */
    private static final int BATCH = 1 << 16;

    private static final double[][] NO_MESSAGES = {};

    /** The regularisation λ. */
    @Param("1e-4")
    public double lambda;

    private Adfs node;

    /** Creates the node. */
    @Setup
    public void prepare() {
        LocalProblem problem =
                LocalProblem.of(rows(), Losses.named(loss), lambda).shuffled();
        Conditioning facts = Conditioning.of(problem);
        Network alone = Topology.named("complete").build(1, 0);
        Tuning tuning = Tuning.of(alone, List.of(facts), 1);
        node = new Adfs(problem, facts, alone, 0, belief -> tuning, 1);
        long before = node.updates();
        node.advance();
        node.absorb(NO_MESSAGES);
        if (node.updates() - before != BATCH) {
            throw new IllegalStateException("the node made " + (node.updates() - before) + " steps, not " + BATCH);
        }
    }

    /** A batch of steps. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long step() {
        node.advance();
        node.absorb(NO_MESSAGES);
        return node.updates();
    }
}
