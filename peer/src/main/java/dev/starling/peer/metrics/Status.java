package dev.starling.peer.metrics;

import dev.starling.certificate.Certificate;

/** Where a peer stands, for those who ask. Written by the peer's threads, read by any. */
public final class Status {

    /** What a peer is doing. */
    public enum Phase {
        /** Reading its rows. */
        LOADING,
        /** Waiting for word of other sites. */
        GATHERING,
        /** Training, and not held up by a neighbour. */
        TRAINING,
        /** Training, but a neighbour is gone. */
        WAITING,
        /** It has the result and stays for its neighbours. */
        FINISHED,
        /** It has stopped. */
        STOPPED
    }

    private volatile Phase phase = Phase.LOADING;
    private volatile String waitingFor = "";
    private volatile Certificate certificate = Certificate.NONE;
    private volatile long rounds;
    private volatile long checkpoints;
    private volatile long checkpointRound;
    private volatile long keptBytes;
    private volatile int recoveries;
    private volatile int linksUp;
    private volatile int links;
    private volatile double tau;
    private volatile double linkMicros;

    /** Where a new peer stands. */
    public Status() {}

    /** Enters a phase. */
    public void enter(Phase newPhase, String newWaitingFor) {
        phase = newPhase;
        waitingFor = newWaitingFor;
    }

    /** What the peer is doing. */
    public Phase phase() {
        return phase;
    }

    /** Whom it waits for; empty if for nobody. */
    public String waitingFor() {
        return waitingFor;
    }

    /** Notes a certificate. */
    public void certificate(Certificate latest) {
        certificate = latest;
    }

    /** The latest certificate. */
    public Certificate certificate() {
        return certificate;
    }

    /** Notes how many rounds were made. */
    public void rounds(long count) {
        rounds = count;
    }

    /** Communication rounds so far. */
    public long rounds() {
        return rounds;
    }

    /** Notes a checkpoint that is durable. */
    public void checkpoint(long count, long round, long kept) {
        checkpoints = count;
        checkpointRound = round;
        keptBytes = kept;
    }

    /** Checkpoints written by this process. */
    public long checkpoints() {
        return checkpoints;
    }

    /** The round of the newest durable checkpoint. */
    public long checkpointRound() {
        return checkpointRound;
    }

    /** Bytes of messages kept for neighbours at the newest checkpoint. */
    public long keptBytes() {
        return keptBytes;
    }

    /** Notes how often the site was restarted in this run. */
    public void recoveries(int count) {
        recoveries = count;
    }

    /** How often the site was restarted in this run. */
    public int recoveries() {
        return recoveries;
    }

    /** Notes how many links stand. */
    public void links(int up, int all) {
        linksUp = up;
        links = all;
    }

    /** Links that stand. */
    public int linksUp() {
        return linksUp;
    }

    /** Links there should be. */
    public int links() {
        return links;
    }

    /** Notes the delay that was agreed on and what was measured for it. */
    public void delay(double agreedTau, double measuredMicros) {
        tau = agreedTau;
        linkMicros = measuredMicros;
    }

    /** The delay tuned for, in proximal steps. */
    public double tau() {
        return tau;
    }

    /** The delay measured on this site's slowest link, one way, in microseconds. */
    public double linkMicros() {
        return linkMicros;
    }
}
