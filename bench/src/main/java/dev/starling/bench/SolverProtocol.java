package dev.starling.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The protocol between {@code bench/compare} and a solver in a separate process: the solver loads its data and prints
 * {@code loaded SECONDS}; then, for every line {@code TOLERANCE FILE}, it solves, writes the weights to the file as
 * little-endian doubles and prints {@code solved SECONDS}.
 */
final class SolverProtocol {

    /** Solves to a tolerance, whose meaning depends on the solver. */
    @FunctionalInterface
    interface Solver {
        /** The weights, one per feature, for the score that is positive for label +1. */
        double[] solve(double tolerance) throws IOException;
    }

    private SolverProtocol() {}

    static void serve(double loadSeconds, Solver solver, PrintStream out) throws IOException {
        out.printf(Locale.ROOT, "loaded %.6f%n", loadSeconds);
        out.flush();
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            int space = line.indexOf(' ');
            long start = System.nanoTime();
            double[] weights = solver.solve(Double.parseDouble(line.substring(0, space)));
            double seconds = secondsSince(start);
            write(weights, Path.of(line.substring(space + 1)));
            out.printf(Locale.ROOT, "solved %.6f%n", seconds);
            out.flush();
        }
    }

    static double secondsSince(long start) {
        return (System.nanoTime() - start) * 1e-9;
    }

    private static void write(double[] weights, Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Double.BYTES * weights.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asDoubleBuffer().put(weights);
        Files.write(file, bytes.array());
    }
}
