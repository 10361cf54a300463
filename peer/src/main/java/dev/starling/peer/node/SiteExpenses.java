package dev.starling.peer.node;

import dev.starling.node.State;
import dev.starling.node.Stateful;
import java.io.IOException;

/** What a site has spent and measured in a run, over all of its processes, including those before restarts. */
final class SiteExpenses implements Stateful {

    /** How often the site was restarted. */
    int recoveries;

    double seconds;
    long bytesSent;
    long bytesReceived;

    /** The measured times of a step and of a message on the slowest link; 0 if they were not asked for. */
    double stepMicros;

    double linkMicros;

    @Override
    public void state(State s) throws IOException {
        recoveries = s.number(recoveries);
        seconds = s.number(seconds);
        bytesSent = s.number(bytesSent);
        bytesReceived = s.number(bytesReceived);
        stepMicros = s.number(stepMicros);
        linkMicros = s.number(linkMicros);
    }
}
