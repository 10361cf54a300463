package dev.starling.peer.node;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** What a site has spent and measured in a run, over all of its processes, including those before restarts. */
final class SiteExpenses {

    /** How often the site was restarted. */
    int recoveries;

    double seconds;
    long bytesSent;
    long bytesReceived;

    /** The measured times of a step and of a message on the slowest link; 0 if they were not asked for. */
    double stepMicros;

    double linkMicros;

    void save(DataOutput out) throws IOException {
        out.writeInt(recoveries);
        out.writeDouble(seconds);
        out.writeLong(bytesSent);
        out.writeLong(bytesReceived);
        out.writeDouble(stepMicros);
        out.writeDouble(linkMicros);
    }

    static SiteExpenses restore(DataInput in) throws IOException {
        SiteExpenses totals = new SiteExpenses();
        totals.recoveries = in.readInt();
        totals.seconds = in.readDouble();
        totals.bytesSent = in.readLong();
        totals.bytesReceived = in.readLong();
        totals.stepMicros = in.readDouble();
        totals.linkMicros = in.readDouble();
        return totals;
    }
}
