package dev.starling.peer.node;

/** What can be done to a site, a link or a network of processes. */
enum Fault {
    /** SIGKILL at any moment. */
    KILLED,
    /** Death at an event that its own log names. */
    KILLED_AT_AN_EVENT,
    /** SIGSTOP, and SIGCONT after a while. */
    PAUSED,
    /** SIGKILL, and the newest checkpoint cut short. */
    CHECKPOINT_TORN,
    /** SIGKILL, and the newest checkpoint removed. */
    CHECKPOINT_LOST,
    /** SIGKILL, and the two newest checkpoints under each other's name. */
    CHECKPOINTS_SWAPPED,
    /** No room where the state is, and room again. */
    DISK_FULL_AND_FREED,
    /** Another process of the same site. */
    SECOND_PROCESS,
    /** A clock that jumps while the site runs. */
    CLOCK_JUMPED,
    /** A link that swallows everything for a while. */
    LINK_CUT,
    /** A link that takes its time for a while. */
    LINK_DELAYED,
    /** A site that is gone for good; the others agree on a change and go on in another run. */
    MEMBERSHIP_CHANGED
}
