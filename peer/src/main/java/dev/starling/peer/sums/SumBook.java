package dev.starling.peer.sums;

import dev.starling.node.SumRequest;

/** Where every addend is entered before it leaves a site. */
public interface SumBook {

    /**
     * Enters an addend.
     *
     * @param number of the sum in its run, from 1
     * @param question the digest of what it is asked for and of everything before
     * @param words the addend's, before they are masked
     * @throws dev.starling.data.InvalidInputException if another question or another addend of this number has left the
     *     site before
     */
    void record(long number, byte[] question, SumRequest request, double[] words);
}
