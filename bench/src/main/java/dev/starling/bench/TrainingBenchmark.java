package dev.starling.bench;

import dev.starling.Trainer;
import dev.starling.certificate.Certificate;
import dev.starling.data.Dataset;
import dev.starling.runtime.Threads;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A complete training run to a relative gap of 1e-6 in a warm process: it shows what more nodes gain without a cold
 * start.
 */
@State(Scope.Benchmark)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class TrainingBenchmark extends KernelBenchmark {

    /** The rows. */
    @Param({"COVTYPE", "HIGGS"})
    public String data;

    /** The training method. */
    @Param({"newton", "adfs"})
    public String method;

    /** The weight of the regulariser. */
    @Param({"1e-4", "1e-6"})
    public double lambda;

    /** The number of nodes, each with its own thread. */
    @Param({"1", "2"})
    public int nodes;

    private Dataset rows;
    private Trainer trainer;

    /** Reads the rows. */
    @Setup
    public void prepare() {
        rows = KernelData.valueOf(data).all();
        trainer = Trainer.logistic()
                .method(method)
                .lambda(lambda)
                .nodes(nodes)
                .gap(1e-6)
                .maxEpochs(1000)
                .runner(new Threads(nodes));
    }

    /** One training run, from rows to the certificate. */
    @Benchmark
    public Certificate train() {
        return trainer.fit(rows).certificate();
    }
}
