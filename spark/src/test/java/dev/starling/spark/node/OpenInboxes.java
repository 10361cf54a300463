package dev.starling.spark.node;

/** How many tasks of this process can be sent something: none once all have ended. */
public final class OpenInboxes {

    private OpenInboxes() {}

    /** The number. */
    public static int count() {
        return TaskInbox.count();
    }
}
