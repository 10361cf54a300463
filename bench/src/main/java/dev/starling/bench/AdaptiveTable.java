package dev.starling.bench;

import dev.starling.certificate.Certificate;
import dev.starling.method.CertificateListener;
import dev.starling.method.StoppingRule;
import dev.starling.data.Dataset;
import dev.starling.data.DatasetReader;
import dev.starling.data.Labels;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.method.Facts;
import dev.starling.method.adfs.AdaptiveAdfs;
import dev.starling.method.adfs.Adfs;
import dev.starling.method.adfs.NonSmoothAdfs;
import dev.starling.method.adfs.certified.CertifiedProgram;
import dev.starling.method.adfs.tuning.Belief;
import dev.starling.method.adfs.tuning.NonSmoothTuning;
import dev.starling.method.adfs.tuning.Theory;
import dev.starling.method.adfs.tuning.Tunings;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.node.Collectives;
import dev.starling.node.SharedWork;
import dev.starling.problem.Conditioning;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Problem;
import dev.starling.runtime.Delays;
import dev.starling.runtime.Simulator;
import dev.starling.runtime.StopSignal;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Prints how many epochs S-ADFS, NS-ADFS and adaptive ADFS take to a certified gap on the simulator, as a Markdown
 * table. Every number is the median over the seeds. It is in this package because the plain method can be certified
 * only here.
 */
public final class AdaptiveTable {

    private static final double GAP = 1e-6;
    private static final double DELAY = 5;
    private static final double MOST_EPOCHS = 5000;

    /**
     * A problem.
     *
     * @param most the largest number of rows to use, equally spaced; all if there are fewer
     * @param heldOut whether it was not looked at before the constants of the adaptation were fixed
     */
    private record Case(String file, int most, String loss, double lambda, boolean heldOut) {

        Problem problem(int nodes) {
            Dataset rows =
                    DatasetReader.standard().read(Path.of(System.getProperty("starling.shared"), "data", file + ".gz"));
            int step = Math.max(1, rows.rows() / most);
            int[] picked = IntStream.range(0, Math.min(most, rows.rows()))
                    .map(i -> i * step)
                    .toArray();
            Dataset fewer = twoClasses(rows.picked(picked)).wellLaidOut();
            Loss function = Losses.named(loss);
            return Problem.deal(Labels.classification(fewer).binary(fewer), function, lambda, nodes);
        }

        /** If there are more than two labels, the lower half of them becomes one class. */
        private static Dataset twoClasses(Dataset rows) {
            double[] distinct = Arrays.stream(rows.labels()).distinct().sorted().toArray();
            double middle = distinct[(distinct.length - 1) / 2];
            return rows.withLabels(Arrays.stream(rows.labels())
                    .map(label -> label <= middle ? 0 : 1)
                    .toArray());
        }
    }

    private static final List<Case> CASES = List.of(
            new Case("mushrooms", 20_000, "logistic", 1e-7, false),
            new Case("mushrooms", 20_000, "squared-hinge", 1e-6, false),
            new Case("mushrooms", 20_000, "squared-hinge", 1e-7, false),
            new Case("rcv1_cocoa_small.train", 20_000, "squared-hinge", 1e-6, false),
            new Case("rcv1_cocoa_small.train", 20_000, "logistic", 1e-6, false),
            new Case("a9a", 50_000, "logistic", 1e-6, false),
            new Case("a9a", 50_000, "squared-hinge", 1e-5, false),
            new Case("w8a", 50_000, "logistic", 1e-6, false),
            new Case("phishing", 20_000, "logistic", 1e-6, false),
            new Case("covtype.libsvm.binary.scale", 20_000, "logistic", 1e-5, false),
            new Case("phishing", 20_000, "squared-hinge", 1e-6, true),
            new Case("w8a", 50_000, "squared-hinge", 1e-6, true),
            new Case("splice", 20_000, "logistic", 1e-6, true),
            new Case("higgs_21k_natural", 20_000, "logistic", 1e-5, true),
            new Case("mushrooms", 20_000, "logistic", 1e-5, true),
            new Case("a9a.t", 20_000, "smoothed-hinge(0.5)", 1e-6, true),
            new Case("heart_scale", 20_000, "logistic", 1e-6, true),
            new Case("rcv1_cocoa_small.test", 20_000, "squared-hinge", 1e-7, true),
            new Case("a9a.t", 20_000, "logistic", 1e-7, true));

    private AdaptiveTable() {}

    /** How a run's constants are chosen. */
    private enum Variant {
        PLAIN,
        NON_SMOOTH,
        ADAPTIVE
    }

    /**
     * Prints the table; the arguments are the number of nodes, on a grid, the number of seeds, and a prefix of file
     * names.
     */
    public static void main(String[] arguments) {
        int nodes = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 4;
        int seeds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 3;
        String chosen = arguments.length > 2 ? arguments[2] : "";
        System.out.println("| data | loss | λ | S-ADFS | NS-ADFS | adaptive | against the better |");
        System.out.println("|---|---|---|---|---|---|---|");
        for (Case row :
                CASES.stream().filter(one -> one.file().startsWith(chosen)).toList()) {
            Problem problem = row.problem(nodes);
            double plain = median(problem, Variant.PLAIN, seeds);
            double nonSmooth = median(problem, Variant.NON_SMOOTH, seeds);
            double adaptive = median(problem, Variant.ADAPTIVE, seeds);
            System.out.printf(
                    Locale.ROOT,
                    "| %s%s | %s | %.0e | %s | %s | %s | %.2f |%n",
                    row.file(),
                    row.heldOut() ? " (held out)" : "",
                    row.loss(),
                    row.lambda(),
                    text(plain),
                    text(nonSmooth),
                    text(adaptive),
                    adaptive / Math.min(plain, nonSmooth));
        }
    }

    private static String text(double epochs) {
        return epochs == Double.POSITIVE_INFINITY
                ? String.format(Locale.ROOT, "> %.0f", MOST_EPOCHS)
                : String.format(Locale.ROOT, "%.0f", epochs);
    }

    private static double median(Problem problem, Variant variant, int seeds) {
        double[] epochs = IntStream.rangeClosed(1, seeds)
                .parallel()
                .mapToDouble(seed -> epochs(problem, variant, seed))
                .sorted()
                .toArray();
        return epochs[seeds / 2];
    }

    /** Epochs to the gap; infinite if it was not reached. */
    private static double epochs(Problem problem, Variant variant, long seed) {
        int nodes = problem.size();
        Network network = Topology.named("grid").build(nodes, seed);
        List<LocalProblem> locals =
                problem.nodes().stream().map(LocalProblem::shuffled).toList();
        Facts totals = new Facts(problem.samples(), problem.totalWeight(), problem.totalSigma(), new double[0]);
        List<Conditioning> facts = locals.stream()
                .map(variant == Variant.NON_SMOOTH ? Conditioning::uniform : Conditioning::of)
                .toList();
        Tunings tunings = new Tunings(network, facts, DELAY);
        NonSmoothTuning nonSmooth = NonSmoothTuning.of(network, facts, DELAY);
        Theory theory = switch (variant) {
            case PLAIN -> Theory.fixed(tunings.smooth(Belief.THEORY));
            case NON_SMOOTH -> Theory.fixed(nonSmooth);
            case ADAPTIVE -> tunings;
        };
        SharedWork shared = new SharedWork();
        List<CertifiedProgram> programs = IntStream.range(0, nodes)
                .mapToObj(node -> new CertifiedProgram(
                        switch (variant) {
                            case PLAIN ->
                                new Adfs(locals.get(node), facts.get(node), network, node, tunings::smooth, seed);
                            case NON_SMOOTH ->
                                new NonSmoothAdfs(locals.get(node), facts.get(node), network, node, nonSmooth, seed);
                            case ADAPTIVE -> new AdaptiveAdfs(locals.get(node), facts.get(node), node, tunings, seed);
                        },
                        Collectives.together(network.spanningTree(), node, nodes, shared),
                        totals,
                        theory,
                        new StoppingRule(GAP, MOST_EPOCHS),
                        CertificateListener.NONE))
                .toList();
        new Simulator().run(network, programs, Delays.uniform(DELAY), StopSignal.manual());
        Certificate certificate = programs.get(0).result().certificate();
        return certificate.relativeGap() <= GAP ? certificate.epochs() : Double.POSITIVE_INFINITY;
    }
}
