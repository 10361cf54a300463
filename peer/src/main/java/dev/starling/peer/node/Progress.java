package dev.starling.peer.node;

import dev.starling.certificate.Certificate;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** How far a site has come, beside the states of its program and its links. */
final class Progress {

    double clock;
    long rounds;
    double seconds;
    long bytesSent;
    long bytesReceived;

    /** Problems that are solved; the next one is under way unless all are. */
    final List<Solved> solved = new ArrayList<>();

    /** The certificate of everything that is solved, summed over classes where there are several. */
    Certificate certificate() {
        return solved.stream()
                .map(Solved::certificate)
                .reduce(Certificate::plus)
                .orElse(Certificate.NONE);
    }

    void save(DataOutput out) throws IOException {
        out.writeDouble(clock);
        out.writeLong(rounds);
        out.writeDouble(seconds);
        out.writeLong(bytesSent);
        out.writeLong(bytesReceived);
        out.writeInt(solved.size());
        for (Solved one : solved) {
            one.save(out);
        }
    }

    void restore(DataInput in) throws IOException {
        clock = in.readDouble();
        rounds = in.readLong();
        seconds = in.readDouble();
        bytesSent = in.readLong();
        bytesReceived = in.readLong();
        int count = in.readInt();
        for (int k = 0; k < count; k++) {
            solved.add(Solved.restore(in));
        }
    }
}
