package dev.starling.peer.transport;

import dev.starling.data.InvalidInputException;

/**
 * What a neighbour may send before it is refused.
 *
 * @param vectorEntries entries of the longest vector that is let in until {@link Link#expect} says otherwise
 * @param noteBytes bytes of the longest note
 * @param notes notes on one connection in ten seconds
 */
public record Limits(int vectorEntries, int noteBytes, int notes) {

    /** Room for what a frame holds beside its vector, note or padding. */
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
