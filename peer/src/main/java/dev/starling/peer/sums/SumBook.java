package dev.starling.peer.sums;

import dev.starling.node.SumRequest;

/** Where every addend is recorded before it leaves a site. */
public interface SumBook {

    /**
     * Records an addend.
     *
     * @param number the number of the sum in its run, from 1
     * @param question the digest of the request and of everything before it
     * @param words the words of the addend, before they are masked
     * @throws dev.starling.data.InvalidInputException if a different question or addend with this number has already
     *     left the site
     */
    void record(long number, byte[] question, SumRequest request, double[] words);
}
