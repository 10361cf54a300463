package dev.starling.lab.comparison;

import dev.starling.internal.Vectors;
import dev.starling.lab.baseline.similarity.Similarity;
import dev.starling.lab.conversation.EffectiveResistance;
import dev.starling.method.Constant;
import dev.starling.network.Network;
import dev.starling.network.Spectrum;
import dev.starling.problem.Conditioning;
import dev.starling.problem.LocalProblem;
import dev.starling.problem.Problem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What a split of rows over the nodes of a network is, in the numbers on which rates depend: conditioning of the whole,
 * of the nodes and of the samples; the network; and how much the nodes differ, in their Hessians (similarity δ) and in
 * their gradients (heterogeneity ζ), at a point.
 */
public final class Split {

    /** Hessians are not compared if those of all nodes have more entries than this. */
    private static final long MOST_ENTRIES = 33_000_000;

    /** With more nodes, resistances take minutes, unless the network is a tree. */
    private static final int MOST_NODES = 10_000;

    private Split() {}

    /** The numbers of a split where methods start, which are known before anything runs. */
    public static List<Constant> atTheStart(Problem problem, Network network) {
        return of(problem, network, new double[problem.features()], "at 0");
    }

    /**
     * Returns the numbers of a split, without those that it does not have: of conditioning if curvature has no bound or
     * some weight is not regularised; of anything but the network if rows have several margins or are compared with
     * each other; of how nodes differ if there is only one.
     *
     * @param theta where the nodes are compared
     * @param where what that point is, in words: "at the optimum"
     */
    static List<Constant> of(Problem problem, Network network, double[] theta, String where) {
        List<Constant> constants = new ArrayList<>();
        LocalProblem first = problem.nodes().get(0);
        boolean rowByRow = first.loss().outputs() == 1 && !first.loss().comparesRows();
        boolean strong = problem.totalSigma() > 0 && problem.regulariser().isSmooth() && !first.hasIntercept();
        if (rowByRow && strong && first.loss().hasBoundedCurvature()) {
            constants.addAll(conditioning(problem));
        }
        Spectrum graph = Spectrum.of(network);
        constants.add(new Constant("gamma", "γ", "λmin⁺/λmax of the Laplacian", graph.gamma()));
        if (network.size() > 1) {
            constants.add(new Constant("chi1", "χ₁", "1/λmin⁺ of the Laplacian", 1 / graph.smallest()));
        }
        if (network.size() > 1 && (network.size() <= MOST_NODES || network.edges() == network.size() - 1)) {
            constants.add(new Constant(
                    "chi2", "χ₂", "half the largest effective resistance of an edge", largestResistance(network) / 2));
        }
        if (network.size() > 1 && rowByRow && first.loss().isDifferentiable()) {
            constants.addAll(gradients(problem, theta, where));
            long entries = (long) network.size() * problem.features() * problem.features();
            if (problem.features() <= Similarity.MOST_FEATURES && entries <= MOST_ENTRIES) {
                constants.addAll(hessians(problem, theta, where));
            }
        }
        return constants;
    }

    private static double largestResistance(Network network) {
        double[] shares = EffectiveResistance.of(network);
        return IntStream.range(0, shares.length)
                .mapToDouble(edge -> shares[edge] / network.weight(edge))
                .max()
                .orElse(0);
    }

    private static List<Constant> conditioning(Problem problem) {
        List<Conditioning> nodes =
                problem.nodes().parallelStream().map(Conditioning::of).toList();
        return List.of(
                new Constant("globalConditioning", "κ_g", "conditioning of the whole", global(problem)),
                new Constant(
                        "localConditioning",
                        "κ_ℓ",
                        "conditioning of a node, largest",
                        nodes.stream()
                                .mapToDouble(Conditioning::batchConditioning)
                                .max()
                                .orElseThrow()),
                new Constant(
                        "stochasticConditioning",
                        "κ_s",
                        "conditioning of a node's rows, largest",
                        nodes.stream()
                                .mapToDouble(Conditioning::stochasticConditioning)
                                .max()
                                .orElseThrow()));
    }

    /** (Σσ_i + λ_max(Σ_ij β x xᵀ))/Σσ_i, by the power method. */
    private static double global(Problem problem) {
        double[] direction = new double[problem.features()];
        Arrays.fill(direction, 1 / Math.sqrt(direction.length));
        double largest = 0;
        for (int k = 0; k < 100; k++) {
            double[] product = new double[direction.length];
            for (LocalProblem node : problem.nodes()) {
                for (int j = 0; j < node.samples(); j++) {
                    int row = node.row(j);
                    double scale = node.weight(j) * node.data().dot(row, direction);
                    node.data().addTo(row, scale, product);
                }
            }
            double norm = Vectors.norm(product);
            if (!(norm > 0) || Math.abs(norm - largest) <= 1e-7 * norm) {
                largest = norm;
                break;
            }
            largest = norm;
            for (int c = 0; c < direction.length; c++) {
                direction[c] = product[c] / norm;
            }
        }
        double smoothness = problem.nodes().get(0).loss().smoothness();
        return 1 + smoothness * largest / problem.totalSigma();
    }

    private static List<Constant> gradients(Problem problem, double[] theta, String where) {
        List<double[]> own = problem.nodes().parallelStream()
                .map(node -> Errors.lossGradient(node, 1 / node.totalWeight(), theta))
                .toList();
        double[] mean = mean(problem, own);
        double largest = 0;
        double squares = 0;
        for (double[] one : own) {
            double square = 0;
            for (int c = 0; c < mean.length; c++) {
                square += (one[c] - mean[c]) * (one[c] - mean[c]);
            }
            largest = Math.max(largest, Math.sqrt(square));
            squares += square / own.size();
        }
        return List.of(
                new Constant("heterogeneity", "ζ", "|∇f_i − ∇f| " + where + ", largest", largest),
                new Constant("averageHeterogeneity", "ζ", "the same, root mean square", Math.sqrt(squares)));
    }

    private static double[] mean(Problem problem, List<double[]> own) {
        double[] mean = new double[own.get(0).length];
        double total =
                problem.nodes().stream().mapToDouble(LocalProblem::totalWeight).sum();
        for (int i = 0; i < own.size(); i++) {
            double share = problem.nodes().get(i).totalWeight() / total;
            Vectors.add(mean, share, own.get(i));
        }
        return mean;
    }

    private static List<Constant> hessians(Problem problem, double[] theta, String where) {
        double[] means = problem.nodes().stream()
                .mapToDouble(node -> 1 / node.totalWeight())
                .toArray();
        Similarity similarity = Similarity.of(problem, theta, means);
        double lambda = problem.totalSigma()
                / problem.nodes().stream()
                        .mapToDouble(LocalProblem::totalWeight)
                        .sum();
        List<Constant> constants = new ArrayList<>(List.of(
                new Constant("similarity", "δ", "|∇²f_i − their mean| " + where + ", largest", similarity.largest()),
                new Constant(
                        "averageSimilarity",
                        "δ",
                        "the same, root of the norm of the mean square",
                        similarity.average())));
        if (lambda > 0) {
            constants.add(new Constant(
                    "similarityOverLambda",
                    "√(δ/λ)",
                    "rounds of a similarity method go with it",
                    Math.sqrt(similarity.largest() / lambda)));
        }
        return constants;
    }
}
