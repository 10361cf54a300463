package dev.starling.peer.transport;

import dev.starling.data.InvalidInputException;

/**
 * How much a neighbour may send before it is refused.
 *
 * @param vectorEntries the number of entries of the longest vector that is accepted, until {@link Link#expect} changes
 *     it
 * @param noteBytes the length of the longest note, in bytes
 * @param notes the most notes on one connection in ten seconds
 */
public record Limits(int vectorEntries, int noteBytes, int notes) {

    /** Room for what a frame holds in addition to its vector, note or padding. */
    private static final int OVERHEAD = 1024;

    /** Validates the numbers. */
    public Limits {
        if (vectorEntries < 1 || vectorEntries > (Integer.MAX_VALUE - OVERHEAD) / Double.BYTES) {
            throw new InvalidInputException("vectors of up to " + vectorEntries + " entries; use 1 to "
                    + (Integer.MAX_VALUE - OVERHEAD) / Double.BYTES);
        }
    }

    int frameBytes() {
        return Math.max(Wire.PART_BYTES, noteBytes) + OVERHEAD;
    }
}
