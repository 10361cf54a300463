package dev.starling.bench;

import dev.starling.method.CertificateListener;
import dev.starling.method.StoppingRule;
import dev.starling.method.Facts;
import dev.starling.method.adfs.Adfs;
import dev.starling.method.adfs.certified.CertifiedProgram;
import dev.starling.method.adfs.tuning.Theory;
import dev.starling.method.adfs.tuning.Tuning;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.node.Collectives;
import dev.starling.node.Exchange;
import dev.starling.problem.Conditioning;
import dev.starling.problem.LocalProblem;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;

/** A duality gap at a single node, per row: two passes over the rows, with a conjugate and a loss for each row. */
public class CertificateBenchmark extends RowsBenchmark {

    private static final int ROWS = 1 << 17;
    private static final double[][] NO_MESSAGES = {};

    private final Network alone = Topology.named("complete").build(1, 0);
    private LocalProblem problem;
    private Tuning tuning;
    private Adfs node;

    /** Takes the node a few passes into its run: dual scalars at the ends of their domain are cheaper to certify. */
    @Setup
    public void prepare() {
        problem = problem(ROWS);
        Conditioning facts = Conditioning.of(problem);
        tuning = Tuning.of(alone, List.of(facts), 1);
        node = new Adfs(problem, facts, alone, 0, belief -> tuning, 1);
        while (node.updates() < 5L * ROWS) {
            node.advance();
            node.absorb(NO_MESSAGES);
        }
    }

    /** The certificate of the node's current state. */
    @Benchmark
    @OperationsPerInvocation(ROWS)
    public double row() {
        CertifiedProgram certified = new CertifiedProgram(
                node,
                Collectives.alone(),
                new Facts(ROWS, problem.totalWeight(), problem.sigma(), new double[0]),
                Theory.fixed(tuning),
                new StoppingRule(1e-6, 1e4),
                CertificateListener.NONE);
        certified.certifyNow();
        while (certified.advance().kind() != Exchange.Kind.END) {
            certified.absorb(NO_MESSAGES);
        }
        return certified.result().certificate().relativeGap();
    }
}
