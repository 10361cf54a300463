package dev.starling.method.multipliers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.certificate.Certificate;
import dev.starling.method.sums.FreeIntercept;
import dev.starling.method.sums.GapBound;
import dev.starling.objective.PassLayout;
import dev.starling.problem.Rounding;
import org.junit.jupiter.api.Test;

/** What totals prove with slopes as a dual point, worked out by hand. */
class SlopeProofTest {

    private static final double WEIGHT = 4;
    private static final GradientLayout LAYOUT = new GradientLayout(3, false);

    /** Means, and what rounding may have done to them. */
    private static double[] totals(double loss, double excess, double error, double slack, double spread) {
        double[] totals = new double[LAYOUT.excess() + 1];
        totals[PassLayout.WEIGHT] = WEIGHT;
        totals[PassLayout.LOSS] = WEIGHT * loss;
        totals[LAYOUT.excess()] = WEIGHT * excess;
        totals[PassLayout.ERROR] = WEIGHT * error;
        totals[PassLayout.SLACK] = WEIGHT * slack;
        totals[PassLayout.SPREAD] = WEIGHT * spread;
        return totals;
    }

    private static GapBound proof(double[] totals, Penalty penalty, FreeIntercept free, Penalty.Residual lack) {
        return SlopeProof.of(totals, LAYOUT, penalty, free, lack, 16, 6);
    }

    /** λ = 0.25, λ₁ = 0.25, ‖θ‖² = 16 and ‖θ‖₁ = 6. */
    private final Penalty net = new Penalty(0.25, 0.25, 3);

    private final FreeIntercept none = FreeIntercept.none(new double[3]);

    @Test
    void theGapIsTheExcessPlusTheLackOfTheGradient() {
        GapBound proof = proof(totals(2, 0.125, 0, 0, 0), net, none, new Penalty.Residual(9, 0.75, 0));

        assertThat(proof.objective()).isEqualTo(2 + 2 + 1.5);
        assertThat(proof.gap()).isEqualTo(0.125 + 18 + 0.75);
        assertThat(proof.most()).isBetween(proof.gap(), proof.gap() * (1 + 1e-11));
        assertThat(proof.least()).isCloseTo(5.5 - 18.875, within(1e-11));
    }

    @Test
    void roundingIsAdded() {
        FreeIntercept free = new FreeIntercept(new double[2], 0.5, 0.25, 0.625);

        GapBound proof = proof(totals(2, 0.125, 0.25, 0.0625, 0.75), net, free, new Penalty.Residual(9, 0.75, 0));

        // The gradient is 3 long, and may be 4.
        assertThat(proof.gap()).isEqualTo(0.125 + 18 + 0.75 + 0.5);
        assertThat(proof.most()).isCloseTo(32 + 0.75 + 0.125 + 0.0625 + 0.625, within(1e-11));
        assertThat(proof.uncertain()).isCloseTo(0.25, within(1e-11));
        Certificate certificate = proof.certificate(7, 3);
        assertThat(certificate.objective()).isEqualTo(5.5);
        assertThat(certificate.dual()).isEqualTo(5.5 - 19.375);
        // Relative to what the objective may be instead, 5.25.
        assertThat(certificate.error()).isCloseTo(33.5625 * 5.5 / 5.25 - 19.375, within(1e-10));
        assertThat(certificate.steps()).isEqualTo(7);
        assertThat(certificate.epochs()).isEqualTo(3);
    }

    @Test
    void noComputedSumIsTakenAsExact() {
        GapBound proof = proof(totals(2, 0, 0, 0, 0), net, none, new Penalty.Residual(0, 0, 0));

        // Losses are added up in blocks of 256; prices are of six.
        assertThat(proof.uncertain()).isBetween(256 * Rounding.UNIT * 5.5, 4096 * Rounding.UNIT * 5.5);
        assertThat(proof.most()).isBetween(Rounding.UNIT * 1.5, 4096 * Rounding.UNIT * 1.5);
    }

    /** Of a gradient that is 1 long: 2⁴⁷ units in the last place are 1/64, and a few of them are less than it is. */
    @Test
    void roundingOfBothPartsOfTheGradientIsAdded() {
        Penalty ridge = new Penalty(0.5, 0, 3);
        double[] nothing = totals(0, 0, 0, 0, 0);

        GapBound far = SlopeProof.of(nothing, LAYOUT, ridge, none, new Penalty.Residual(1, 0, 0), 0x1p96, 0);
        GapBound pulled = SlopeProof.of(nothing, LAYOUT, ridge, none, new Penalty.Residual(1, 0, 0x1p47), 0, 0);

        for (GapBound one : new GapBound[] {far, pulled}) {
            assertThat(Math.sqrt(one.most())).isBetween(1 + 1.0 / 64, 2.0);
        }
    }

    /** Its dual value is the other's, but no more than its own objective. */
    @Test
    void aPointMayBeProvenByTheSlopesOfAnother() {
        GapBound here = new GapBound(5, 0.25, 3, 3.5);
        GapBound other = new GapBound(6, 0.25, 2, 2.5);

        Certificate certificate = here.certificate(other, 7, 3);

        assertThat(certificate.dual()).isEqualTo(4);
        // 5 + 0.25 − (6 − 0.25 − 2.5) is 2 at the most, of an objective that may be 4.75.
        assertThat(certificate.error()).isCloseTo(2 * 5 / 4.75 - 1, within(1e-14));
        assertThat(here.certificate(new GapBound(9, 0, 2, 2), 7, 3).dual()).isEqualTo(5);
    }

    @Test
    void nothingIsClaimedRelativeToAnObjectiveThatRoundingLeavesUnknown() {
        Certificate unknown = new GapBound(1, 0.75, 0.5, 0.75).certificate(1, 1);
        assertThat(unknown.relativeGap()).isInfinite();
        assertThat(unknown.gap()).isEqualTo(0.75);
        assertThat(new GapBound(1, 1.5, 0.5, 0.5).certificate(1, 1).relativeGap())
                .isInfinite();
        assertThat(new GapBound(0, 0, 0, 0).certificate(1, 1).error()).isZero();
        assertThat(GapBound.NONE.gap()).isInfinite();
    }
}
