package dev.starling.objective;

import dev.starling.loss.Loss;
import dev.starling.loss.Softmax;
import dev.starling.problem.LocalProblem;
import java.util.OptionalDouble;

/** What all nodes know about their {@link Term}s before any sum: it makes a node's term and describes its parameter. */
public interface Family {

    /** Returns the number of margins of a row: the parameter has this many blocks, each with an entry per feature. */
    int outputs();

    /** Returns how the loss of a row bends as a function of its margins. */
    Smoothness smoothness();

    /** Returns the value that every row of weight 1 has at the parameter 0; empty if that depends on the row. */
    OptionalDouble valueAtZero();

    /** Returns whether no diagonal entry of the Hessian is greater anywhere than at the parameter 0. */
    boolean isSteepestAtZero();

    /**
     * Returns whether the value is a negative log-likelihood as it stands, so that the inverse of its Hessian is the
     * variance of the estimate. If not, the variance has a factor that is estimated from the residuals.
     */
    boolean isDispersionKnown();

    /**
     * Makes a node's term.
     *
     * @param fewestRows the smallest number of rows to sum over: fewer would reveal too much about each
     */
    Term term(LocalProblem rows, PassLayout layout, int fewestRows);

    /**
     * Returns the family of sums of a loss.
     *
     * @throws IllegalArgumentException if it has several margins per row and no term is known for it
     */
    static Family of(Loss loss) {
        if (loss instanceof TermLoss own) {
            return own.family();
        }
        if (loss instanceof Softmax softmax) {
            return new SoftmaxFamily(softmax);
        }
        if (loss.outputs() > 1) {
            throw new IllegalArgumentException("no term for the loss " + loss.name() + " of several margins");
        }
        return new LossFamily(loss);
    }
}
