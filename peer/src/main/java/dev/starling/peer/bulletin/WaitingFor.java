package dev.starling.peer.bulletin;

import java.util.List;

/**
 * For whom a site waits.
 *
 * @param sites their numbers; none if it waits for nobody
 * @param down whether its link to them is down
 */
public record WaitingFor(List<Integer> sites, boolean down) {

    /** It waits for nobody, as far as is known. */
    public static final WaitingFor NONE = new WaitingFor(List.of(), false);

    /** Copies the list. */
    public WaitingFor {
        sites = List.copyOf(sites);
    }
}
