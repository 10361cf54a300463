package dev.starling.method.sums;

import dev.starling.certificate.Certificate;
import dev.starling.certificate.Exactness;
import dev.starling.method.Solution;
import dev.starling.node.ReleaseLimits;
import dev.starling.node.State;
import dev.starling.node.Stateful;
import java.io.IOException;

/**
 * What a run has come to so far: its best point and what is proven about it, how much it has read and released, and
 * whether it is about to end.
 */
public final class RunRecord implements Stateful {

    /** A gap must fall to this part of what it was at the last progress. */
    private static final double SMALLER = 0.7;

    /** Or else the objective must fall by more than this part of itself. */
    private static final double ROUNDING = 0x1p-44;

    private final Releases releases;
    private final double samplesPerNode;
    private final double[] point;
    private Certificate proof = Certificate.NONE;
    private Exactness exactness = Exactness.UNKNOWN;
    private double epochs;
    private Certificate proofBefore = Certificate.NONE;
    private double lowest = Double.POSITIVE_INFINITY;
    private int futile;
    private boolean stalled;
    private boolean tight;
    private boolean last;

    /** Creates the record of a run that has done nothing yet. */
    public RunRecord(ReleaseLimits limits, double samplesPerNode, int parameters) {
        this.releases = new Releases(limits);
        this.samplesPerNode = samplesPerNode;
        this.point = new double[parameters];
    }

    /** What was released so far. */
    public Releases releases() {
        return releases;
    }

    /** Counts passes over all samples. */
    public void addEpochs(double passes) {
        epochs += passes;
    }

    /** The number of passes over all samples so far. */
    public double epochs() {
        return epochs;
    }

    /** The number of samples that a node has visited so far, on average. */
    public long steps() {
        return (long) (epochs * samplesPerNode);
    }

    /** The best proof so far. */
    public Certificate proof() {
        return proof;
    }

    /** The point of the best proof, not a copy. */
    public double[] point() {
        return point;
    }

    /** Makes a proof and its point the best. */
    public void keep(Certificate newProof, Exactness newExactness, double[] newPoint) {
        proof = newProof;
        exactness = newExactness;
        System.arraycopy(newPoint, 0, point, 0, point.length);
    }

    /**
     * Counts a sum that could have proven more: those without progress are counted until one makes some. Progress is a
     * gap smaller by a factor than at the last progress, or an objective lower by more than a part of the gap: one that
     * is all rounding creeps for ever.
     *
     * @param latest what the sum proved
     * @param objective the objective at its point; infinite if only proofs count
     * @param worth that part of the gap
     */
    public void count(Certificate latest, double objective, double worth) {
        boolean smaller = latest.betterThan(proofBefore, SMALLER);
        double left = Math.min(proof.gap(), latest.gap());
        double least = Math.max(ROUNDING * lowest, left < Double.POSITIVE_INFINITY ? worth * left : 0);
        boolean lower = objective < Double.POSITIVE_INFINITY && !(objective >= lowest - least);
        proofBefore = smaller ? latest : proofBefore;
        lowest = lower ? objective : lowest;
        futile = smaller || lower ? 0 : futile + 1;
    }

    /** Whether at least this many sums in a row have made no progress. */
    public boolean isFutileFor(int sums) {
        return futile >= sums;
    }

    /** Whether rounding seems to prevent a smaller gap from being proven. */
    public boolean isStalled() {
        return stalled;
    }

    /** Says whether rounding seems to prevent a smaller gap from being proven. */
    public void setStalled(boolean value) {
        stalled = value;
    }

    /** Begins to count futile sums again, for a run that continues in another way. */
    public void resume() {
        stalled = false;
        futile = 0;
    }

    /** Whether rounding is bounded tightly. */
    public boolean isTight() {
        return tight;
    }

    /** Bounds rounding tightly from now on if a condition holds. */
    public void boundTightlyIf(boolean condition) {
        tight |= condition;
    }

    /** Whether the next sum that proves anything is the last one. */
    public boolean isLast() {
        return last;
    }

    /** Makes the next sum that proves anything the last one if a condition holds. */
    public void endIf(boolean condition) {
        last |= condition;
    }

    /** The result of the run if it ended now. */
    public Solution solution(double[] warmStart) {
        return new Solution(proof, point, stalled, exactness, warmStart, new double[0]);
    }

    @Override
    public void state(State s) throws IOException {
        releases.state(s);
        s.vector(point);
        proof = proof.state(s);
        exactness = exactness.state(s);
        epochs = s.number(epochs);
        proofBefore = proofBefore.state(s);
        lowest = s.number(lowest);
        futile = s.number(futile);
        stalled = s.flag(stalled);
        tight = s.flag(tight);
        last = s.flag(last);
    }
}
