package dev.starling.peer.simulation;

/** What a process sees of its own death: nothing that it does afterwards has an effect. */
final class Crash extends Error {

    private static final long serialVersionUID = 1;

    Crash() {
        super("the process is dead", null, false, false);
    }
}
