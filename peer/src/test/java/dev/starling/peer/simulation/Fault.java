package dev.starling.peer.simulation;

/** What can go wrong. */
enum Fault {
    KILLED("a process or its machine dies at some event"),
    KILLED_WRITING("it dies in the middle of a change of its disk"),
    WRITES_LOST("something that was not forced to disk is lost, cut short or full of zeros after a death"),
    CHECKPOINT_LOST("it dies, and the newest of two checkpoints is gone"),
    CHECKPOINT_TORN("it dies, and the newest of two checkpoints is cut short"),
    DISK_FULL("its disk is full for a while"),
    LEFT("it is asked to leave, and started again"),
    PAUSED("it stands still for a while"),
    CLOCK_JUMPED("its clock jumps ahead"),
    SECOND_PROCESS("another process of the same site is started"),
    LINK_RESET("a connection breaks, and what was under way is lost"),
    LINK_CUT("nothing passes between two sites for a while"),
    LINK_SLOW("frames between two sites are late for a while"),
    ISOLATED("nothing passes between a site and all others for a while"),
    RESTORED("a site's state is put back to an older one, with its ledger"),
    RESTORED_IN_PART("a site's state is put back to an older one, but not its ledger"),
    ROWS_CHANGED("a row of a site is changed while the site is down"),
    PEOPLE_CHANGED("some rows of a site are gone before the next run, fewer than its rules allow or more"),
    CELLS_CORRECTED("some cells of a site are corrected before the next run, fewer than its rules allow or more"),
    MEMBERSHIP_CHANGED("a site is gone for good, and the others go on in another run"),
    DEVIATED("a site sends something else than it should");

    private final String text;

    Fault(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }
}
