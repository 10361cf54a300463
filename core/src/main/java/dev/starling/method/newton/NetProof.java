package dev.starling.method.newton;

import dev.starling.node.HiddenSum;
import dev.starling.node.State;
import dev.starling.objective.Family;
import dev.starling.objective.PassLayout;
import dev.starling.objective.PassSums;
import dev.starling.objective.ProofBasis;
import dev.starling.objective.Term;
import dev.starling.problem.Rounding;
import java.io.IOException;
import java.util.Arrays;

/**
 * A proof by curvature for a point that a run with an l1 term ended at, where rounding hides the duality gap. Let z be
 * the subgradient of ‖θ‖₁ that makes r = g + λ₁z shortest. As ‖θ + δ‖₁ ≥ ‖θ‖₁ + zᵀδ, the objective is no further above
 * its optimum than the smooth part plus λ₁zᵀθ, whose gradient is r and whose Hessian is that of the smooth part
 * ({@link CurvatureProof}). Where columns depend on each other there is no such bound.
 */
final class NetProof extends Newton {

    /** No more than this part of the gap asked for is claimed: slopes alone often confirm that, at less cost. */
    private static final double CLAIMED = 0x1p-10;

    private final Family family;
    private final long samples;
    private final double l1;
    private final double target;
    private final FullHessian hessian;

    /** What the run that ended here has learnt. */
    private double[] learnt;

    private PassSums passSums = PassSums.HESSIAN;
    private boolean proven;

    /** Whether every column has curvature of its own. */
    private boolean whole;

    /**
     * Creates the proof before its first pass.
     *
     * @param l1 λ₁
     * @param target the requested relative gap
     * @param learnt what the run that ended at the point has learnt
     */
    NetProof(PassLayout layout, Family family, long samples, double lambda, double l1, double target, double[] learnt) {
        super(layout, lambda);
        this.family = family;
        this.samples = samples;
        this.l1 = l1;
        this.target = target;
        this.hessian = new FullHessian(layout, lambda, family.smoothness());
        this.learnt = learnt;
    }

    @Override
    PassSums passSums() {
        return passSums;
    }

    @Override
    boolean certifies() {
        return proven;
    }

    @Override
    boolean isSpent() {
        return proven;
    }

    @Override
    ProofBasis basis() {
        return hessian.basis(family.smoothness().selfConcordance() > 0);
    }

    @Override
    double[] warmStart() {
        return learnt;
    }

    @Override
    void take(double[] sums) {
        takeValues(sums, lambda, false);
        if (passSums == PassSums.HESSIAN && !HiddenSum.isTooLarge(sums)) {
            hessian.take(sums, sums[PassLayout.WEIGHT]);
            whole = isWhole(sums);
        }
        proven = passSums == PassSums.PROOF || !whole;
        if (proven) {
            prove(sums);
        } else {
            passSums = PassSums.PROOF;
        }
    }

    private void prove(double[] sums) {
        double length = 0;
        for (int c = 0; c < parameters; c++) {
            length += layout.isFree(c) ? 0 : Math.abs(theta[c]);
        }
        double objective = objective() + l1 * length;
        double least = CLAIMED * target * objective;
        if (HiddenSum.isTooLarge(sums) || !whole) {
            boundGap(sums, objective, CurvatureProof.NONE);
            return;
        }
        CurvatureProof proof = byCurvature(sums);
        boundGap(sums, objective, new CurvatureProof(proof.gap(), Math.max(proof.bound(), least), proof.distance()));
    }

    private CurvatureProof byCurvature(double[] sums) {
        double[] rest = gradient.clone();
        for (int c = 0; c < parameters; c++) {
            double price = layout.isFree(c) ? 0 : l1;
            rest[c] = theta[c] == 0
                    ? Math.copySign(Math.max(0, Math.abs(rest[c]) - price), rest[c])
                    : rest[c] + Math.copySign(price, theta[c]);
        }
        return CurvatureProof.of(
                layout, family.smoothness(), basis(), hessian.matrix(), sums, rest, rounding(), samples);
    }

    /** Returns whether every column has curvature of its own, but for those of zeros, which need none. */
    private boolean isWhole(double[] sums) {
        return hessian.leftOut().stream()
                .allMatch(c -> hessian.scale(c) == 0 && sums[PassLayout.GRADIENT + c] == 0 && theta[c] == 0);
    }

    /** Bounds what rounding may have added to r beside the gradient of the losses, in units of the features' scales. */
    private double rounding() {
        double squares = 0;
        for (int c = 0; c < parameters; c++) {
            double part = layout.isFree(c) ? 0 : (lambda * Math.abs(theta[c]) + l1) * basis().scales()[c];
            squares += part * part;
        }
        return Term.SLOPE_OPERATIONS * Rounding.UNIT * Math.sqrt(squares);
    }

    @Override
    void advance() {
        // The next pass is known; after the proof there is none.
    }

    @Override
    void precondition(double[] vector) {
        Arrays.fill(vector, 0);
    }

    @Override
    public void state(State s) throws IOException {
        super.state(s);
        hessian.state(s);
        learnt = s.vector(learnt, Integer.MAX_VALUE);
        passSums = s.choice(passSums);
        proven = s.flag(proven);
        whole = s.flag(whole);
    }
}
