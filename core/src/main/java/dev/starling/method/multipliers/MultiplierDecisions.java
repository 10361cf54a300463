package dev.starling.method.multipliers;

import dev.starling.certificate.Certificate;
import dev.starling.certificate.StoppingRule;
import dev.starling.method.Solved;
import dev.starling.method.sums.Decisions;
import dev.starling.node.HiddenSum;
import dev.starling.node.ReleaseLimits;
import dev.starling.node.SavedState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Optional;

/** The decisions of the method of multipliers: what was proven, and what is to be added up next. */
final class MultiplierDecisions implements Decisions<MultiplierDecision> {

    /** So many gradients without a better certificate: rounding has the last word. */
    private static final int PATIENCE = 1000;

    /** As many where rounding is the greater part of the gap that is left. */
    private static final int PATIENCE_WITH_ROUNDING = 40;

    /** As many where nodes may tell what they told before: then there is most likely no more to learn. */
    private static final int PATIENCE_BETWEEN_OWNERS = 20;

    /** Where rounding may hide this part of a gap, it is worth bounding tightly. */
    private static final double WORTH_BOUNDING = 0.1;

    private final SemismoothNewton newton;
    private final StoppingRule rule;
    private final ReleaseLimits limits;
    private final Sums sums;
    private final int features;
    private final double samples;
    private final double weight;
    private final double samplesPerNode;
    private final double[] best;

    /** The point of the lowest objective. */
    private final double[] lowestPoint;

    private Proof lowest = Proof.NONE;
    private Proof highest = Proof.NONE;
    private MultiplierDecision latest;
    private Certificate bestCertificate = Certificate.NONE;
    private double objective;
    private boolean last;
    private boolean tight;
    private boolean stalled;
    private int futileGradients;
    private double epochs;
    private long released;
    private int curvatures;
    private int passes;

    MultiplierDecisions(TunedMultipliers tuned, StoppingRule rule, ReleaseLimits limits, Optional<double[]> start) {
        this.sums = tuned.sums();
        this.features = sums.features();
        this.samples = tuned.totals().samples();
        this.weight = tuned.totals().weight();
        this.samplesPerNode = tuned.samplesPerNode();
        this.rule = rule;
        this.limits = limits;
        this.newton =
                new SemismoothNewton(sums, samples, tuned.totals().sigma() / weight, tuned.direct(), limits.rows() > 1);
        this.best = new double[features];
        this.lowestPoint = new double[features];
        start.ifPresent(newton::beginAt);
        this.latest = decision(0, Optional.empty(), false);
    }

    private MultiplierDecision decision(int number, Optional<Certificate> certificate, boolean ended) {
        return new MultiplierDecision(number, certificate, ended, newton.order(), tight, epochs);
    }

    @Override
    public synchronized MultiplierDecision latest() {
        return latest;
    }

    @Override
    public synchronized MultiplierDecision after(MultiplierDecision asked, double[] totals) {
        if (latest.number() == asked.number()) {
            latest = decide(asked, totals);
        }
        return latest;
    }

    private MultiplierDecision decide(MultiplierDecision asked, double[] totals) {
        if (asked.number() == 0) {
            HiddenSum.requireNotTooLarge(totals);
        }
        Ask ask = asked.order().ask();
        passes++;
        released += sums.numbers(ask);
        curvatures += ask == Ask.HESSIAN ? 1 : 0;
        last |= totals[HiddenSum.STOPS] > 0;
        Optional<Certificate> certificate = Optional.empty();
        switch (ask) {
            case GRADIENT -> certificate = Optional.of(afterGradient(asked, totals));
            case HESSIAN -> newton.afterHessian(totals, weight, objective, tight);
            case LINE -> {
                epochs += asked.order().known() ? 0 : 1;
                newton.afterLine(totals, weight, tight);
            }
        }
        last |= !mayTell(Ask.GRADIENT) || epochs >= rule.maxEpochs();
        // What is left to do of a step would prove nothing that is not proven, or nothing better than a step before.
        boolean ended = stalled || last || rule.isMet(bestCertificate);
        return decision(asked.number() + 1, certificate, ended);
    }

    private Certificate afterGradient(MultiplierDecision asked, double[] totals) {
        epochs += totals[Sums.VISITS] / samples;
        Proof proof = newton.takeGradient(totals);
        long steps = (long) (epochs * samplesPerNode);
        Certificate certificate = proof.certificate(steps, epochs);
        boolean better = consider(certificate, asked.point());
        if (proof.objective() + proof.uncertain() < lowest.objective() + lowest.uncertain()) {
            lowest = proof;
            System.arraycopy(asked.point(), 0, lowestPoint, 0, features);
        }
        highest = highest.least() >= proof.least() ? highest : proof;
        Certificate mixed = lowest.certificate(highest, steps, epochs);
        better |= consider(mixed, lowestPoint);
        futileGradients = better ? 0 : futileGradients + 1;
        stalled = futileGradients >= (bestCertificate.isMostlyRounding() ? PATIENCE_WITH_ROUNDING : PATIENCE);
        last |= limits.rows() > 1 && futileGradients >= PATIENCE_BETWEEN_OWNERS;
        Certificate proven = mixed.betterThan(certificate) ? mixed : certificate;
        // Also where the error is no number, as it is where an objective of 0 is uncertain.
        tight |= !(proven.error() <= WORTH_BOUNDING * (proven.objective() - proven.dual()));
        objective = proof.objective();
        boolean shy = limits.rows() > 0 && totals[Sums.SHY] > 0;
        // A narrower band would leave some node with too few samples in it to tell of.
        last |= shy && newton.isSolved();
        newton.afterGradient(objective, mayTell(Ask.HESSIAN) && !shy, tight);
        return proven;
    }

    private boolean consider(Certificate certificate, double[] point) {
        if (!certificate.betterThan(bestCertificate)) {
            return false;
        }
        bestCertificate = certificate;
        System.arraycopy(point, 0, best, 0, features);
        return true;
    }

    /** Whether something may be added up, and what it takes to certify what comes of it. */
    private boolean mayTell(Ask ask) {
        boolean curved = ask == Ask.HESSIAN;
        long step = (long) sums.numbers(Ask.GRADIENT) + sums.numbers(Ask.LINE);
        // Gradients are worth more than curvatures, which are so many numbers: half of them are kept for those.
        long room = curved ? limits.numbers() / 2 : limits.numbers() - step;
        return released + sums.numbers(ask) <= room
                && passes + 3L <= (curved || curvatures > 0 ? limits.passes() : limits.gradients())
                && (!curved || curvatures < limits.curvatures());
    }

    @Override
    public synchronized MultiplierDecision finish() {
        if (!last && !latest.ended()) {
            last = true;
            newton.certify();
            latest = decision(latest.number() + 1, Optional.empty(), false);
        }
        return latest;
    }

    @Override
    public synchronized Solved result() {
        return new Solved(bestCertificate, best, stalled);
    }

    @Override
    public synchronized void save(DataOutput out) throws IOException {
        out.writeInt(latest.number());
        out.writeBoolean(latest.certificate().isPresent());
        latest.certificate().orElse(Certificate.NONE).save(out);
        out.writeBoolean(latest.ended());
        lowest.save(out);
        highest.save(out);
        bestCertificate.save(out);
        SavedState.writeDoubles(out, best);
        SavedState.writeDoubles(out, lowestPoint);
        out.writeDouble(objective);
        out.writeBoolean(last);
        out.writeBoolean(tight);
        out.writeBoolean(stalled);
        out.writeInt(futileGradients);
        out.writeDouble(epochs);
        out.writeLong(released);
        out.writeInt(curvatures);
        out.writeInt(passes);
        newton.save(out);
    }

    @Override
    public synchronized void restore(DataInput in) throws IOException {
        int number = in.readInt();
        boolean certified = in.readBoolean();
        Certificate certificate = Certificate.restore(in);
        boolean ended = in.readBoolean();
        lowest = Proof.restore(in);
        highest = Proof.restore(in);
        bestCertificate = Certificate.restore(in);
        SavedState.readDoubles(in, best);
        SavedState.readDoubles(in, lowestPoint);
        objective = in.readDouble();
        last = in.readBoolean();
        tight = in.readBoolean();
        stalled = in.readBoolean();
        futileGradients = in.readInt();
        epochs = in.readDouble();
        released = in.readLong();
        curvatures = in.readInt();
        passes = in.readInt();
        newton.restore(in);
        latest = decision(number, certified ? Optional.of(certificate) : Optional.empty(), ended);
    }
}
