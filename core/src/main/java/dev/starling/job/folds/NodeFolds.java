package dev.starling.job.folds;

import dev.starling.data.InvalidInputException;
import dev.starling.data.Labels;
import dev.starling.job.NodeRows;
import dev.starling.job.Units;
import dev.starling.method.Facts;
import dev.starling.method.Method;
import dev.starling.node.Collectives;
import dev.starling.node.ReleaseLimits;
import dev.starling.node.SumKind;
import dev.starling.node.SumRequest;
import dev.starling.problem.LocalProblem;
import dev.starling.settings.Folds;
import dev.starling.settings.LambdaPath;
import dev.starling.settings.Settings;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The folds of a job as one node knows them: its own rows in each fold, and the totals over all nodes' rows outside
 * each fold, which nodes add up before they train.
 */
public final class NodeFolds {

    public static final String KIND = "folds";

    /**
     * With fewer owners, the sums without one of them would cover the rows of a single owner, or of two, each of which
     * could infer the other's part.
     */
    private static final int FEWEST_OWNERS = 4;

    /** The number of entries that precede the counts of classes: rows and their weight. */
    private static final int HEAD = 2;

    private final Folds folds;
    private final Collectives nodes;
    private final RowFolds rows;
    private final int ownRows;
    private List<Facts> totals = List.of();

    public NodeFolds(Settings settings, NodeRows rows, Collectives nodes) {
        this.folds = settings.folds();
        this.nodes = nodes;
        this.ownRows = rows.count();
        this.rows = new RowFolds(folds, rows, nodes.node(), nodes.size(), settings.seed());
        requireRoom(settings.path());
    }

    /**
     * Refuses, before anything leaves this node, what its rules would refuse later; messages do not reveal its number
     * of rows.
     */
    private void requireRoom(LambdaPath path) {
        boolean betweenOwners = nodes.guard().isBetweenOwners();
        if (folds.ofSites() && nodes.size() < (betweenOwners ? FEWEST_OWNERS : 2)) {
            throw new InvalidInputException("cv sites with " + nodes.size() + (nodes.size() == 1 ? " node" : " nodes")
                    + "; without one of them there must be " + (betweenOwners ? "three" : "one")
                    + " left, so give a number of folds instead");
        }
        ReleaseLimits limits = nodes.guard().limits();
        if (betweenOwners && !folds.ofSites() && rows.fewest() < limits.rows()) {
            throw new InvalidInputException("a fold has fewer rows here than the " + limits.rows()
                    + " that a sum must cover; use fewer folds than " + folds.count());
        }
        long models = (1L + rows.count()) * path.size();
        if (models > Math.max(limits.passes(), limits.gradients())) {
            throw new InvalidInputException(models + " models need at least one sum each, but the nodes' rules allow "
                    + Math.max(limits.passes(), limits.gradients()) + "; use fewer folds or fewer values of lambda");
        }
    }

    /** Refuses more folds than there are rows at all nodes, and methods that cannot leave rows out. */
    public void require(long allRows, List<Method> methods) {
        if (folds.count() > allRows) {
            throw new InvalidInputException(
                    folds.count() + " folds for " + allRows + " rows; use at most as many folds as rows");
        }
        for (Method method : methods) {
            if (method.tellsMoreThanSums()) {
                throw new InvalidInputException(
                        "cross-validation leaves out rows of nodes, which method " + method.name()
                                + " cannot do; use a method based on sums: newton, proximal-newton, multipliers");
            }
        }
    }

    public int count() {
        return rows.count();
    }

    /** This node's problem on its rows outside a fold. */
    public LocalProblem without(int fold, LocalProblem all, double lambda) {
        return all.only(rows.others(fold), lambda);
    }

    /** The smallest number of this node's rows that a measure of a fold covers. */
    private int fewestRows() {
        return folds.ofSites() ? ownRows : rows.fewest();
    }

    /** Creates empty scores for this many values of λ. */
    public HeldOutScores heldOut(int points, boolean classification, double unit, Units units) {
        return new HeldOutScores(folds, rows, fewestRows(), points, classification, unit, units);
    }

    /** The sum over all nodes before training. */
    public SumRequest request(Labels labels) {
        int classes = labels.classes().size();
        return SumRequest.overAll(
                SumKind.COUNTS, KIND, fewestRows(), folds.ofSites() ? classes : rows.count() * (HEAD + classes));
    }

    /**
     * This node's addend: for every fold, the number of rows outside it, their weight, and the number of rows of each
     * class. If every node's rows are a fold, these numbers would be its own, so it only reveals which classes it has.
     *
     * @param all the problem of all its rows, with weights
     * @param raw its rows with their original labels
     */
    public double[] addend(LocalProblem all, NodeRows raw, Labels labels) {
        int classes = labels.classes().size();
        if (folds.ofSites()) {
            return Arrays.stream(count(raw, rows.heldOut(nodes.node()), labels))
                    .map(Math::signum)
                    .toArray();
        }
        double[] numbers = new double[rows.count() * (HEAD + classes)];
        double[] everywhere = count(raw, IntStream.range(0, raw.count()).toArray(), labels);
        for (int fold = 0; fold < rows.count(); fold++) {
            int at = fold * (HEAD + classes);
            int[] inside = rows.heldOut(fold);
            numbers[at] = raw.count() - inside.length;
            numbers[at + 1] = without(fold, all, 0).totalWeight();
            double[] counts = count(raw, inside, labels);
            for (int k = 0; k < classes; k++) {
                numbers[at + HEAD + k] = everywhere[k] - counts[k];
            }
        }
        return numbers;
    }

    /** How many of some rows each class has. */
    private static double[] count(NodeRows raw, int[] some, Labels labels) {
        List<Double> classes = labels.classes();
        double[] counts = new double[classes.size()];
        for (int row : labels.isRegression() ? new int[0] : some) {
            counts[classes.indexOf(raw.data().label(row) + 0.0)]++;
        }
        return counts;
    }

    /**
     * Receives the totals over all nodes.
     *
     * @param facts the facts of all nodes
     * @throws InvalidInputException if a fold is empty, or if a class has no rows outside it
     */
    public void known(double[] sums, List<Facts> facts, Labels labels) {
        Facts all = Facts.total(facts);
        Facts[] without = new Facts[rows.count()];
        int classes = labels.classes().size();
        for (int fold = 0; fold < without.length; fold++) {
            int at = folds.ofSites() ? 0 : fold * (HEAD + classes);
            without[fold] = folds.ofSites()
                    ? facts(
                            all.samples() - facts.get(fold).samples(),
                            all.weight() - facts.get(fold).weight())
                    : facts((long) sums[at], sums[at + 1]);
            requireRows(fold, all.samples() - without[fold].samples());
            requireClasses(fold, labels, sums, folds.ofSites() ? 0 : at + HEAD);
        }
        totals = List.of(without);
    }

    private static Facts facts(long rows, double weight) {
        return new Facts(rows, weight, 0, new double[0]);
    }

    private void requireRows(int fold, long heldOut) {
        if (heldOut == 0) {
            throw new InvalidInputException(
                    "fold " + (fold + 1) + " of " + rows.count() + " has no rows, because a hash "
                            + (folds.columns().isEmpty() ? "of each row" : "of column " + folds.basis())
                            + " decides where rows go; use fewer folds or another seed");
        }
    }

    private void requireClasses(int fold, Labels labels, double[] sums, int at) {
        for (int k = 0; k < labels.classes().size(); k++) {
            if (sums[at + k] < (folds.ofSites() ? 2 : 1)) {
                throw new InvalidInputException("without "
                        + (folds.ofSites() ? "one of the nodes" : "fold " + (fold + 1) + " of " + rows.count())
                        + " no row has label " + Labels.text(labels.classes().get(k))
                        + "; use fewer folds or another seed, or leave the class out");
            }
        }
    }

    /** The facts of all nodes' rows outside a fold, as if they were at a single node, for a λ. */
    public List<Facts> without(int fold, double lambda) {
        Facts all = totals.get(fold);
        return List.of(new Facts(all.samples(), all.weight(), lambda * all.weight(), new double[0]));
    }
}
