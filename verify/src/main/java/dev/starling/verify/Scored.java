package dev.starling.verify;

import dev.starling.verify.loss.CheckedLoss;
import dev.starling.verify.proof.Bracket;
import dev.starling.verify.proof.CheckedProblem;
import dev.starling.verify.proof.CurvedProblem;
import org.apache.commons.numbers.core.DD;

/**
 * One score of a model.
 *
 * @param bracket its problem, and bounds on the optimum
 * @param theta the model's parameter for that problem
 */
record Scored(Bracket bracket, DD[] theta) {

    CheckedProblem problem() {
        return bracket.problem();
    }

    /** The curvature of the problem that a claim is about, with its own loss or another. */
    CurvedProblem curved(CheckedLoss.Curved loss, Claim claim) {
        return new CurvedProblem(
                loss,
                problem().data(),
                problem().labels(),
                problem().weights(),
                claim.lambda(),
                claim.l1(),
                problem().regularised(),
                claim.aliased(),
                theta);
    }
}
