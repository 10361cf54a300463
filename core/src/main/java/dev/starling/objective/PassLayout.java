package dev.starling.objective;

import dev.starling.node.HiddenSum;
import dev.starling.node.SumWords;
import java.util.Arrays;
import java.util.Optional;

/**
 * The layout of the vector of sums that nodes add up after a pass: a head; the gradient; with a free intercept, as many
 * numbers that show how far slopes are from adding up to 0 and what would make them, and a bound on the rounding error
 * of these; and the Hessian, or the combinations that the span of the rows is computed from.
 *
 * <p>With several outputs, the parameter has a block of the same size for each, and the Hessian one for each pair of
 * them. Every block of the Hessian is symmetric, so only its lower triangle is added up, row by row, for the pairs (k,
 * l) with l ≤ k, in the order (0,0), (1,0), (1,1), (2,0), …
 *
 * @param parameters the number of parameters: outputs times d, the number of features, including that of the intercept
 * @param intercept whether the last feature is that of a free intercept, of every output
 * @param curved the dimension of the Hessian: that of all parameters, or of the span of the rows
 * @param outputs the number of margins of a row
 */
public record PassLayout(int parameters, boolean intercept, int curved, int outputs) {

    /* Indices of the sums. */

    /** The value: the sum of all losses. */
    public static final int LOSS = HiddenSum.HEAD;

    /** The weight of the rows. */
    public static final int WEIGHT = LOSS + 1;

    /** A bound on how much too small the rounding of margins may have made the losses. */
    public static final int ERROR = LOSS + 2;

    /** A bound on what rounding may have added to the gap because slopes do not match the exact margins. */
    public static final int SLACK = LOSS + 3;

    /** A bound on what rounding may have added to the length of the gradient. */
    public static final int SPREAD = LOSS + 4;

    /** The first entry of the gradient. */
    public static final int GRADIENT = LOSS + 5;

    /* Indices of the sums of a proof by curvature, counted from proof(). */

    /** The sum of bounds on the errors of margins; with a radius, on what these do to the Hessian. */
    public static final int DISTANCES = 0;

    /** The sum of bounds on what each row may add to the error of the gradient, in units of the features' scales. */
    public static final int SCALED_ERROR = 1;

    /**
     * The sum of all ‖Xx‖², as {@link ProofBasis#raised} makes them summable; with a radius, of all ‖Xx‖³ times bounds
     * on third derivatives.
     */
    public static final int LEVERAGES = 2;

    /**
     * The sum of e²/(w ℓ''), with e in units of rounding: bounds on the errors of slopes whose image in the norm of the
     * inverse Hessian is at most its root, since that is the length of √(w ℓ'')x at most. Those of rows of hardly any
     * curvature are in {@link #SCALED_ERROR}.
     */
    public static final int SQUARED_ERROR = 3;

    private static final int PROOF_LENGTH = 4;

    /** The largest number of columns of which a pass computes the Hessian where there are too many for all of them. */
    public static final int MOST_COLUMNS = 1000;

    /** Checks that the parameter consists of blocks of one size. */
    public PassLayout {
        if (outputs < 1 || parameters % outputs != 0 || (outputs > 1 && curved != parameters)) {
            throw new IllegalArgumentException(parameters + " parameters, of which " + curved
                    + " have curvature, are not " + outputs + " blocks of one size");
        }
    }

    /** Returns the layout for rows with one margin and Hessians of the whole space. */
    public PassLayout(int features, boolean intercept) {
        this(features, intercept, features, 1);
    }

    /** Returns the layout for several outputs, all of whose weights are regularised, or none. */
    public static PassLayout ofOutputs(int features, int outputs) {
        return ofOutputs(features, outputs, false);
    }

    /** Returns the layout for several outputs, each of which may have a free intercept. */
    public static PassLayout ofOutputs(int features, int outputs, boolean intercept) {
        int parameters = Math.multiplyExact(features, outputs);
        return new PassLayout(parameters, intercept, parameters, outputs);
    }

    /** Returns the layout for Hessians in the span of this many rows; an intercept has a dimension of its own. */
    public static PassLayout inSpan(int features, boolean intercept, int rows) {
        return new PassLayout(features, intercept, intercept ? rows + 1 : rows, 1);
    }

    /** Refuses a parameter of another length, of which a row would silently use only a part. */
    public void require(double[] theta) {
        if (theta.length != parameters) {
            throw new IllegalArgumentException("a parameter of " + theta.length + " numbers, expected " + parameters);
        }
    }

    /** Returns whether Hessians are computed in the span of the rows. */
    public boolean inSpan() {
        return curved < parameters;
    }

    /** Returns the number of random combinations from which the span of the rows is computed. */
    public int combinations() {
        return intercept ? curved - 1 : curved;
    }

    /** Returns whether a parameter is the weight of a free intercept: the last one of its output. */
    public boolean isFree(int parameter) {
        return intercept && (parameter + 1) % (parameters / outputs) == 0;
    }

    /** Returns the entries of a vector that belong to regularised weights. */
    public double[] regularised(double[] vector) {
        double[] entries = new double[intercept ? parameters - outputs : parameters];
        int at = 0;
        for (int c = 0; c < parameters; c++) {
            if (!isFree(c)) {
                entries[at++] = vector[c];
            }
        }
        return entries;
    }

    /** Returns λ₁ for every parameter, but 0 for free intercepts. */
    public double[] prices(double l1) {
        double[] prices = new double[parameters];
        Arrays.setAll(prices, c -> isFree(c) ? 0 : l1);
        return prices;
    }

    /**
     * Returns the index of Σ w s x over the rows whose slope s is positive or, with several outputs, of Σ w x over the
     * rows of each class; only with a free intercept.
     */
    public int rising() {
        return GRADIENT + parameters;
    }

    /** Returns the index of the bound on what rounding may have added to the length of that vector. */
    public int risingSpread() {
        return rising() + parameters;
    }

    /** Rounds a pass's bounds up to words, with what a proof has to add for words that lose a little of a number. */
    public void roundUp(double[] sums) {
        double words = Math.sqrt(parameters) * SumWords.ROUNDING;
        double lost = 0;
        for (int c = GRADIENT; c < GRADIENT + parameters; c++) {
            lost = sums[c] == 0 ? lost : words;
        }
        sums[SPREAD] = SumWords.up(sums[SPREAD] + lost);
        if (intercept) {
            sums[risingSpread()] = SumWords.up(sums[risingSpread()] + words);
        }
        sums[ERROR] = SumWords.up(sums[ERROR] + SumWords.rounding(sums[LOSS]));
        sums[SLACK] = SumWords.up(sums[SLACK]);
    }

    /** Returns the index of the Hessian, of its diagonal, or of the combinations of rows. */
    public int hessian() {
        return intercept ? risingSpread() + 1 : GRADIENT + parameters;
    }

    /** Returns the index of the numbers that a proof by curvature needs in addition to the gradient. */
    public int proof() {
        return GRADIENT + parameters;
    }

    /** Returns the length of an addend, including its head; the greatest one if that depends on the columns chosen. */
    public int length(PassSums passSums) {
        return switch (passSums) {
            case GRADIENT -> hessian();
            case DIAGONAL -> hessian() + parameters;
            case HESSIAN -> block(outputs, 0);
            case COLUMNS -> lengthWith(Math.min(parameters, MOST_COLUMNS));
            case SPAN -> hessian() + parameters * combinations();
            case PROOF -> proof() + PROOF_LENGTH;
        };
    }

    /** Returns the length of an addend, with the Hessian of a working set if it is one of some columns. */
    public int length(PassSums passSums, Optional<WorkingSet> set) {
        return passSums == PassSums.COLUMNS ? lengthWith(set.orElseThrow().columns().length) : length(passSums);
    }

    /** Returns the length of an addend with the Hessian of this many columns. */
    public int lengthWith(int columns) {
        return hessian() + columns * (columns + 1) / 2;
    }

    /** Returns how many numbers are added up. */
    public int numbers(PassSums passSums) {
        return length(passSums) - HiddenSum.HEAD;
    }

    /** Returns the dimension of one block of the Hessian. */
    private int side() {
        return curved / outputs;
    }

    /**
     * Returns the index of the lower triangle of the Hessian's block for two outputs.
     *
     * @param one an output
     * @param other an output, at most as large as the first
     */
    public int block(int one, int other) {
        long triangle = (long) side() * (side() + 1) / 2;
        return (int) Math.min(Integer.MAX_VALUE, hessian() + (one * (one + 1) / 2 + other) * triangle);
    }

    /** Returns the index of an entry of the Hessian's diagonal, in sums with the Hessian or with its diagonal. */
    public int diagonal(PassSums passSums, int c) {
        if (passSums != PassSums.HESSIAN) {
            return hessian() + c;
        }
        int output = c / side();
        int i = c % side();
        return block(output, output) + i * (i + 3) / 2;
    }

    /** Writes the lower triangle of the Hessian, divided by a number, into a square matrix. */
    public void load(double[] sums, double divisor, double[] matrix) {
        int side = side();
        for (int k = 0; k < outputs; k++) {
            for (int l = 0; l <= k; l++) {
                int at = block(k, l);
                int corner = k * side * curved + l * side;
                for (int i = 0; i < side; i++) {
                    for (int j = 0; j <= i; j++) {
                        double entry = sums[at++] / divisor;
                        matrix[corner + i * curved + j] = entry;
                        // A block beside the diagonal has its upper triangle in the matrix's lower one.
                        if (l < k) {
                            matrix[corner + j * curved + i] = entry;
                        }
                    }
                }
            }
        }
    }

    /** Writes a lower triangle, given row by row and multiplied by a number, where sums have the Hessian. */
    public void store(double[] triangle, double factor, double[] sums) {
        int side = side();
        for (int k = 0; k < outputs; k++) {
            for (int l = 0; l <= k; l++) {
                int at = block(k, l);
                for (int i = k * side; i < (k + 1) * side; i++) {
                    for (int j = l * side; j <= l * side + i - k * side; j++) {
                        sums[at++] = factor * triangle[i * (i + 1) / 2 + j];
                    }
                }
            }
        }
    }
}
