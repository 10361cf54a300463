package dev.starling.objective;

import dev.starling.loss.Cox;
import dev.starling.loss.Loss;
import dev.starling.loss.Ordinal;
import dev.starling.loss.Softmax;
import dev.starling.loss.Stratified;
import dev.starling.objective.classes.OrdinalTerm;
import dev.starling.objective.classes.SoftmaxFamily;
import dev.starling.objective.strata.CoxTerm;
import dev.starling.objective.strata.StratifiedTerm;
import dev.starling.problem.LocalProblem;
import java.util.OptionalDouble;

/** What all nodes know about their {@link Term}s before any sum: it makes a node's term and describes its parameter. */
public interface Family {

    /** Returns the number of margins of a row: the parameter has this many blocks, each with an entry per feature. */
    default int outputs() {
        return 1;
    }

    /** Returns how the loss of a row bends as a function of its margins. */
    Smoothness smoothness();

    /** Returns the value that every row of weight 1 has at the parameter 0; empty if that depends on the row. */
    default OptionalDouble valueAtZero() {
        return OptionalDouble.empty();
    }

    /** Returns whether no diagonal entry of the Hessian is greater anywhere than at the parameter 0. */
    default boolean isSteepestAtZero() {
        return false;
    }

    /**
     * Returns whether the value is a negative log-likelihood as it stands, so that the inverse of its Hessian is the
     * variance of the estimate. If not, the variance has a factor that is estimated from the residuals.
     */
    default boolean isDispersionKnown() {
        return true;
    }

    /**
     * Returns the layout of the sums.
     *
     * @param features the number of features, including that of an intercept
     * @param intercept whether the last one is that of a free intercept
     */
    default PassLayout layout(int features, boolean intercept) {
        return outputs() > 1 ? PassLayout.ofOutputs(features, outputs()) : new PassLayout(features, intercept);
    }

    /**
     * Returns whether terms of several outputs also sum up the rows of each class, as free intercepts require, and
     * Hessians of some parameters, as an l1 term does where there are many.
     */
    default boolean sumsClasses() {
        return false;
    }

    /** Returns how many numbers {@link Term#labels} has; 0 if rows have a loss each, from which they follow. */
    default int labelNumbers() {
        return 0;
    }

    /**
     * Returns what the totals of {@link Term#labels} say about a model without features.
     *
     * @param unit what weights have to be multiplied by to be those of the data
     */
    default NullModel nullModel(double[] totals, double unit) {
        throw new UnsupportedOperationException("no sums of labels");
    }

    /**
     * A model without features.
     *
     * @param rows the number of rows with a positive weight
     * @param observations what counts as the size of the sample: events, for Cox's likelihood
     * @param value its value
     * @param constant the part of the log-likelihood that no coefficient changes
     * @param intercepts the number of intercepts that are estimated but are no parameters
     */
    record NullModel(double rows, double observations, double value, double constant, double intercepts) {

        public NullModel(double rows, double observations, double value, double constant) {
            this(rows, observations, value, constant, 0);
        }
    }

    /**
     * Makes a node's term.
     *
     * @param fewestRows the smallest number of rows to sum over: fewer would reveal too much about each
     */
    Term term(LocalProblem rows, PassLayout layout, int fewestRows);

    /**
     * Returns the family of sums of a loss.
     *
     * @param regularised whether all weights are regularised; if none is, softmax compares classes with the first
     * @throws IllegalArgumentException if it has several margins per row and no term is known for it
     */
    static Family of(Loss loss, boolean regularised) {
        if (loss instanceof TermLoss own) {
            return own.family();
        }
        if (loss instanceof Softmax softmax) {
            return new SoftmaxFamily(softmax, !regularised);
        }
        if (loss instanceof Cox cox) {
            return new CoxTerm.Family(cox);
        }
        if (loss instanceof Stratified stratified) {
            return new StratifiedTerm.Family(stratified);
        }
        if (loss instanceof Ordinal ordinal) {
            return new OrdinalTerm.Family(ordinal);
        }
        if (loss.outputs() > 1) {
            throw new IllegalArgumentException("no term for the loss " + loss.name() + " of several margins");
        }
        return new RowTerm.Family(loss);
    }

    /** Returns the family of sums of a loss with a regulariser. */
    static Family of(Loss loss) {
        return of(loss, true);
    }
}
