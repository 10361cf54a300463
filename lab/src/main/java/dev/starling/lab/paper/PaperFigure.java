package dev.starling.lab.paper;

import dev.starling.data.InvalidInputException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** One of the paper's plots: logistic regression on a grid of nodes, σ = 1. */
public enum PaperFigure {
    /** Higgs on 4 nodes. */
    A(PaperData.HIGGS, 4, 6e5),
    /** Higgs on 100 nodes. */
    B(PaperData.HIGGS, 100, 6e5),
    /** Covtype on 100 nodes. */
    C(PaperData.COVTYPE, 100, 5e5);

    /** λ of the plots. */
    public static final double LAMBDA = 1e-4;

    /** τ of the plots. */
    public static final double TAU = 5;

    /** The rows of every node. */
    public static final int SAMPLES_PER_NODE = 10_000;

    /** The methods that the plots compare. */
    public static final List<String> METHODS = List.of("adfs-theory", "adfs-local", "msda", "dsba", "point-saga");

    private final PaperData data;
    private final int nodes;
    private final double time;

    PaperFigure(PaperData data, int nodes, double time) {
        this.data = data;
        this.nodes = nodes;
        this.time = time;
    }

    /** The plot with a name. */
    public static PaperFigure named(String name, List<String> all) {
        return Arrays.stream(values())
                .filter(figure -> figure.text().equals(name))
                .findFirst()
                .orElseThrow(() -> InvalidInputException.unknownName("figure", name, all));
    }

    /** The name of the plot. */
    public String text() {
        return "figure-" + name().toLowerCase(Locale.ROOT);
    }

    /** Its rows. */
    public PaperData data() {
        return data;
    }

    /** The number of nodes. */
    public int nodes() {
        return nodes;
    }

    /** The end of its time axis, with the paper's number of rows. */
    public double time() {
        return time;
    }
}
