package dev.starling.method.newton;

import dev.starling.bench.KernelData;
import dev.starling.loss.Losses;
import dev.starling.problem.LocalProblem;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** A pass of Newton's method at a single node, per row. In this package because a pass is nobody else's business. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class NewtonPassBenchmark {

    private static final int ROWS = 1 << 17;

    /** The shape of the rows. */
    @Param({"COVTYPE", "HIGGS"})
    public String data;

    /** The loss. */
    @Param({"logistic", "squared-hinge"})
    public String loss;

    /** What is summed up. */
    @Param({"GRADIENT", "HESSIAN"})
    public String order;

    private NewtonPass pass;
    private double[] theta;
    private double[] sums;

    /** Takes the rows in. */
    @Setup
    public void prepare() {
        LocalProblem problem = LocalProblem.of(KernelData.valueOf(data).first(ROWS), Losses.named(loss), 1e-4);
        pass = new NewtonPass(problem);
        theta = new double[problem.features()];
        Arrays.fill(theta, 0.1);
        sums = new double[PassSums.HESSIAN.length(theta.length)];
    }

    /** One pass over all rows. */
    @Benchmark
    @OperationsPerInvocation(ROWS)
    public double[] row() {
        pass.sum(PassSums.valueOf(order), theta, 1, sums);
        return sums;
    }
}
