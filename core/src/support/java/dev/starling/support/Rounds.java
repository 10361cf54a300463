package dev.starling.support;

import dev.starling.node.Exchange;
import dev.starling.node.NodeProgram;
import java.util.Arrays;
import java.util.List;

/** Drives nodes by hand, for tests that look at them between rounds. */
public final class Rounds {

    private Rounds() {}

    /** Lets every node work up to its next exchange and take in what the others said; returns what each said. */
    public static double[][] exchange(List<? extends NodeProgram> programs) {
        double[][] said = new double[programs.size()][];
        int[][] from = new int[said.length][];
        for (int node = 0; node < said.length; node++) {
            Exchange exchange = programs.get(node).advance();
            said[node] = exchange.payload().clone();
            from[node] = exchange.from().clone();
        }
        for (int node = 0; node < said.length; node++) {
            programs.get(node)
                    .absorb(Arrays.stream(from[node]).mapToObj(k -> said[k]).toArray(double[][]::new));
        }
        return said;
    }
}
