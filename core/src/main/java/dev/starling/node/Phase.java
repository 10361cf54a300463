package dev.starling.node;

/**
 * A node program that ends with a result: one part of a job. Once it has ended, {@link #state} holds only its result,
 * so that finished phases take little space in a checkpoint.
 *
 * @param <R> the type of the result
 */
public interface Phase<R> extends NodeProgram {

    /** Whether this phase has ended; its next exchange is then {@link Exchange.Kind#END}. */
    boolean isDone();

    /** The result, once the phase has ended; the same at every node unless documented otherwise. */
    R result();

    /**
     * The number of entries of the longest message that this phase may still receive: the size a channel must allow.
     */
    int longestMessage();
}
