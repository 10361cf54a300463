package dev.starling.bench;

import dev.starling.objective.Family;
import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import dev.starling.objective.Term;
import dev.starling.problem.LocalProblem;
import java.util.Arrays;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** A pass of Newton's method at a single node, per row. */
public class NewtonPassBenchmark extends RowsBenchmark {

    private static final int ROWS = 1 << 17;

    /** Which sums to compute. */
    @Param({"GRADIENT", "HESSIAN"})
    public String order;

    private Term term;
    private double[] theta;
    private double[] sums;

    /** Loads the rows. */
    @Setup
    public void prepare() {
        LocalProblem problem = problem(ROWS);
        PassLayout layout = new PassLayout(problem.features(), false);
        term = Family.of(problem.loss()).term(problem, layout, Term.FEWEST_ROWS);
        theta = new double[problem.features()];
        Arrays.fill(theta, 0.1);
        sums = new double[layout.length(PassSums.HESSIAN)];
    }

    /** One pass over all rows. */
    @Benchmark
    @OperationsPerInvocation(ROWS)
    public double[] row() {
        term.sum(PassSums.valueOf(order), theta, 1, false, sums);
        return sums;
    }
}
