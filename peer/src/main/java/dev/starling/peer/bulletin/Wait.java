package dev.starling.peer.bulletin;

import java.util.List;

/**
 * For whom a site waits.
 *
 * @param sites their numbers; none if it waits for nobody
 * @param down whether its link to them is down
 */
public record Wait(List<Integer> sites, boolean down) {

    /** It waits for nobody, as far as is known. */
    public static final Wait NONE = new Wait(List.of(), false);

    /** Copies the list. */
    public Wait {
        sites = List.copyOf(sites);
    }
}
