package dev.starling.job;

import dev.starling.data.InvalidInputException;
import dev.starling.data.Labels;
import dev.starling.method.Facts;
import dev.starling.method.Method;
import dev.starling.node.Collectives;
import dev.starling.node.ReleaseLimits;
import dev.starling.node.SumRequest;
import dev.starling.problem.LocalProblem;
import java.util.Arrays;
import java.util.List;

/**
 * The folds of a job as one node knows them: its own rows in each, and what all nodes' rows outside of each come to,
 * which nodes add up before they train.
 */
final class NodeFolds {

    static final String KIND = "folds";

    /**
     * Of fewer owners, what is left without one of them would be what a single one has, or what each sees of the other.
     */
    private static final int FEWEST_OWNERS = 4;

    /** Rows and weight come before the classes. */
    private static final int HEAD = 2;

    private final Folds folds;
    private final Collectives nodes;
    private final RowFolds rows;
    private final int ownRows;
    private List<Facts> totals = List.of();

    NodeFolds(Settings settings, NodeRows rows, Collectives nodes) {
        this.folds = settings.path().folds();
        this.nodes = nodes;
        this.ownRows = rows.count();
        this.rows = new RowFolds(folds, rows, nodes.node(), nodes.size(), settings.seed());
        requireRoom(settings.path());
    }

    /** What this node's rules would refuse later is refused before anything leaves it, without saying how many rows. */
    private void requireRoom(LambdaPath path) {
        boolean betweenOwners = nodes.guard().isBetweenOwners();
        if (folds.sites() && nodes.size() < (betweenOwners ? FEWEST_OWNERS : 2)) {
            throw new InvalidInputException("cv sites with " + nodes.size() + (nodes.size() == 1 ? " node" : " nodes")
                    + "; without one of them there must be " + (betweenOwners ? "three" : "one")
                    + " left, so give a number of folds instead");
        }
        ReleaseLimits limits = nodes.guard().limits();
        if (betweenOwners && !folds.sites() && rows.fewest() < limits.rows()) {
            throw new InvalidInputException("a fold has fewer rows here than the " + limits.rows()
                    + " that a sum must cover; use fewer folds than " + folds.count());
        }
        long models = (1L + rows.count()) * path.size();
        if (models > Math.max(limits.passes(), limits.gradients())) {
            throw new InvalidInputException(models + " models take a sum each at the least, and the nodes' rules allow "
                    + Math.max(limits.passes(), limits.gradients()) + "; use fewer folds or fewer values of lambda");
        }
    }

    /** Refuses folds of so many rows of all nodes, and methods that cannot leave rows out. */
    void require(long allRows, List<Method> methods) {
        if (folds.count() > allRows) {
            throw new InvalidInputException(
                    folds.count() + " folds for " + allRows + " rows; use at most as many folds as rows");
        }
        for (Method method : methods) {
            if (method.tellsMoreThanSums()) {
                throw new InvalidInputException("cross-validation leaves out rows of nodes, which method "
                        + method.name() + " cannot do; name a method by sums: newton, proximal-newton, multipliers");
            }
        }
    }

    int count() {
        return rows.count();
    }

    /** The rows of this node outside of a fold. */
    LocalProblem without(int fold, LocalProblem all, double lambda) {
        return all.only(rows.others(fold), lambda);
    }

    /** The fewest of this node's rows that a measure of a fold is of. */
    private int fewestRows() {
        return folds.sites() ? ownRows : rows.fewest();
    }

    /** Nothing held out yet, for so many values of λ. */
    HeldOutScores heldOut(int points, boolean classification, double unit) {
        return new HeldOutScores(folds, rows, fewestRows(), points, classification, unit);
    }

    /** What is asked of a node before training. */
    SumRequest request(Labels labels) {
        int classes = labels.classes().size();
        return SumRequest.overAll(KIND, fewestRows(), folds.sites() ? classes : rows.count() * (HEAD + classes));
    }

    /**
     * This node's numbers: for every fold, the rows outside of it, their weight, and how many of each class. Where a
     * fold is what one node has these would be its own, so it is told only which classes it has.
     *
     * @param all its rows, with weights
     * @param labels as rows carry them
     */
    double[] addend(LocalProblem all, NodeRows raw, Labels labels) {
        int classes = labels.classes().size();
        if (folds.sites()) {
            double[] present = new double[classes];
            count(raw, rows.heldOut(nodes.node()), labels, present, 0);
            return Arrays.stream(present).map(Math::signum).toArray();
        }
        double[] numbers = new double[rows.count() * (HEAD + classes)];
        for (int fold = 0; fold < rows.count(); fold++) {
            int at = fold * (HEAD + classes);
            numbers[at] = rows.others(fold).length;
            numbers[at + 1] = without(fold, all, 0).totalWeight();
            count(raw, rows.others(fold), labels, numbers, at + HEAD);
        }
        return numbers;
    }

    private static void count(NodeRows raw, int[] some, Labels labels, double[] counts, int at) {
        for (int row : labels.isRegression() ? new int[0] : some) {
            counts[at + labels.classes().indexOf(raw.data().label(row) + 0.0)]++;
        }
    }

    /**
     * Takes in what all nodes' numbers add up to.
     *
     * @param facts of all nodes
     * @throws InvalidInputException if a fold is empty, or nothing is left of a class without it
     */
    void known(double[] sums, List<Facts> facts, Labels labels) {
        Facts all = Facts.total(facts);
        Facts[] without = new Facts[rows.count()];
        int classes = labels.classes().size();
        for (int fold = 0; fold < without.length; fold++) {
            int at = folds.sites() ? 0 : fold * (HEAD + classes);
            without[fold] = folds.sites()
                    ? facts(
                            all.samples() - facts.get(fold).samples(),
                            all.weight() - facts.get(fold).weight())
                    : facts((long) sums[at], sums[at + 1]);
            requireRows(fold, all.samples() - without[fold].samples());
            requireClasses(fold, labels, sums, folds.sites() ? 0 : at + HEAD);
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
                            + (folds.columns().isEmpty() ? "of each row" : "of column " + folds.columnsText())
                            + " decides where rows go; use fewer folds or another seed");
        }
    }

    private void requireClasses(int fold, Labels labels, double[] sums, int at) {
        for (int k = 0; k < labels.classes().size(); k++) {
            if (sums[at + k] < (folds.sites() ? 2 : 1)) {
                throw new InvalidInputException("without "
                        + (folds.sites() ? "one of the nodes" : "fold " + (fold + 1) + " of " + rows.count())
                        + " no row has label " + Labels.text(labels.classes().get(k))
                        + "; use fewer folds or another seed, or leave the class out");
            }
        }
    }

    /** What all nodes' rows outside of a fold are together, as if they were at one node, for a λ. */
    List<Facts> without(int fold, double lambda) {
        Facts all = totals.get(fold);
        return List.of(new Facts(all.samples(), all.weight(), lambda * all.weight(), new double[0]));
    }
}
