package dev.starling.bench;

import dev.starling.method.Method;
import dev.starling.method.Solver;
import dev.starling.method.Solver.Agreement;
import dev.starling.certificate.Certificate;
import dev.starling.certificate.CertificateListener;
import dev.starling.method.CertifiedNode;
import dev.starling.certificate.StoppingRule;
import dev.starling.data.Dataset;
import dev.starling.loss.Losses;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.problem.NodeFacts;
import dev.starling.problem.Problem;
import dev.starling.runtime.Delays;
import dev.starling.runtime.StopSignal;
import dev.starling.runtime.Threads;
import dev.starling.method.adfs.Tuning;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A whole training to a relative gap of 1e-6 in a process that has trained before: what nodes gain without a cold start. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class TrainingBenchmark {

    private static final StoppingRule RULE = new StoppingRule(1e-6, 1000);

    /** The rows. */
    @Param({"COVTYPE", "HIGGS"})
    public String data;

    /** How the optimum is looked for. */
    @Param({"newton", "adfs"})
    public String method;

    /** The weight of the regulariser. */
    @Param({"1e-4", "1e-6"})
    public double lambda;

    /** The nodes, each with a thread of its own. */
    @Param({"1", "2"})
    public int nodes;

    private Problem problem;
    private Network network;
    private Agreement agreement;

    /** Deals the rows out and tunes. */
    @Setup
    public void prepare() {
        Dataset rows = KernelData.valueOf(data).all();
        problem = Problem.deal(rows, Losses.named("logistic"), lambda, nodes);
        network = Topology.named("complete").build(nodes, 1);
        Solver solver = Solver.of(Method.named(method), Losses.named("logistic"), problem.regulariser(), rows);
        List<NodeFacts> facts = problem.nodes().stream().map(solver::facts).toList();
        double delay = Tuning.sharedMemoryDelay(rows.features(), (double) rows.storedValues() / rows.rows());
        agreement = solver.agree(network, facts, delay);
    }

    /** One training, from nodes at their start to the certificate. */
    @Benchmark
    public Certificate train() {
        List<CertifiedNode> programs = IntStream.range(0, nodes)
                .mapToObj(node ->
                        agreement.program(problem.nodes().get(node), node, RULE, 1, CertificateListener.NONE))
                .toList();
        new Threads(nodes).run(network, programs, Delays.uniform(1), StopSignal.manual());
        return programs.get(0).bestCertificate();
    }
}
