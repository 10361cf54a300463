package dev.starling.node;

/**
 * A node program that ends with a result: a part of a job. Once it has ended, {@link #save} writes its result and
 * nothing else, so that a finished phase costs a checkpoint what its result costs.
 *
 * @param <R> what it ends with
 */
public interface Phase<R> extends NodeProgram {

    /** Whether it has ended; the next exchange is then {@link Exchange.Kind#END}. */
    boolean isDone();

    /** What it ended with, the same at every node unless it says otherwise. */
    R result();

    /** Entries of the longest message that it may yet hear: what a channel must be ready to hold. */
    int longestMessage();
}
