package dev.starling.bench;

import dev.starling.data.Dataset;
import dev.starling.data.DatasetReader;
import dev.starling.data.LibsvmWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Reads LIBSVM text from memory with all cores; an operation is a megabyte (10⁶ bytes). */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
public class ParsingBenchmark extends KernelBenchmark {

    private static final int MEGABYTES = 32;

    /** The shape of the rows. */
    @Param({"COVTYPE", "HIGGS"})
    public String data;

    private byte[] text;

    /** Prepares as many whole lines as fit. */
    @Setup
    public void prepare() throws IOException {
        KernelData shape = KernelData.valueOf(data);
        ByteArrayOutputStream out = new ByteArrayOutputStream(4 * MEGABYTES * 1_000_000);
        LibsvmWriter.write(shape.generated(300_000), out);
        byte[] all = out.toByteArray();
        int length = MEGABYTES * 1_000_000;
        if (all.length < length) {
            throw new IllegalStateException(all.length + " bytes of text, not " + length);
        }
        while (all[length - 1] != '\n') {
            length--;
        }
        text = Arrays.copyOf(all, length);
    }

    /** Parses the text into rows. */
    @Benchmark
    @OperationsPerInvocation(MEGABYTES)
    public Dataset megabyte() {
        return DatasetReader.standard().read(new ByteArrayInputStream(text), "text");
    }
}
