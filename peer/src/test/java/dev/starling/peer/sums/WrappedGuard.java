package dev.starling.peer.sums;

import dev.starling.node.ReleaseLimits;
import dev.starling.node.SumGuard;
import dev.starling.node.SumKind;
import dev.starling.node.SumRequest;

/** A site's guard that seals as it should; attackers, and those who look on, do something else beside it. */
class WrappedGuard implements SumGuard {

    final SumGuard honest;

    WrappedGuard(SumGuard honest) {
        this.honest = honest;
    }

    @Override
    public boolean isBetweenOwners() {
        return true;
    }

    @Override
    public ReleaseLimits limits() {
        return honest.limits();
    }

    @Override
    public double[] heading() {
        return honest.heading();
    }

    @Override
    public int headingLength() {
        return honest.headingLength();
    }

    @Override
    public boolean allows(SumKind kind, int problem, double[] shares) {
        return honest.allows(kind, problem, shares);
    }

    @Override
    public void seal(SumRequest request, double[] addend, double[] words) {
        honest.seal(request, addend, words);
    }

    @Override
    public int sealLength() {
        return honest.sealLength();
    }

    @Override
    public int signatureLength() {
        return honest.signatureLength();
    }

    @Override
    public void stamp(SumRequest request, double[] seal, double[] message, int from) {
        honest.stamp(request, seal, message, from);
    }

    @Override
    public void requireStamped(SumRequest request, double[] seal, double[] message, int from) {
        honest.requireStamped(request, seal, message, from);
    }

    @Override
    public void requireSame(double[] own, double[] seal) {
        honest.requireSame(own, seal);
    }

    @Override
    public double[] signed(int parent, double[] received) {
        return honest.signed(parent, received);
    }

    @Override
    public void opened(SumRequest request, double[] totals) {
        honest.opened(request, totals);
    }
}
