package dev.starling.bench;

import dev.starling.data.Dataset;
import dev.starling.loss.Losses;
import dev.starling.problem.LocalProblem;
import org.openjdk.jmh.annotations.Param;

/** A kernel that goes over rows, of several shapes and with several losses. */
public abstract class RowsBenchmark extends KernelBenchmark {

    /** The shape of the rows. */
    @Param({"COVTYPE", "HIGGS"})
    public String data;

    /** The loss. */
    @Param({"logistic", "squared-hinge"})
    public String loss;

    /** All rows of that shape. */
    protected final Dataset rows() {
        return KernelData.valueOf(data).all();
    }

    /** The local problem of a node with the first {@code rows} rows. */
    protected final LocalProblem problem(int rows) {
        return LocalProblem.of(KernelData.valueOf(data).first(rows), Losses.named(loss), 1e-4);
    }
}
