package dev.starling.peer.bulletin;

import java.util.List;

/**
 * The sites that a site is waiting for.
 *
 * @param sites their numbers; empty if it is not waiting
 * @param down whether its link to them is down
 */
public record WaitingFor(List<Integer> sites, boolean down) {

    /** Waiting for nobody, as far as is known. */
    public static final WaitingFor NONE = new WaitingFor(List.of(), false);

    /** Copies the list. */
    public WaitingFor {
        sites = List.copyOf(sites);
    }
}
