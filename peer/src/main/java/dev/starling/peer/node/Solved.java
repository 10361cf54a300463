package dev.starling.peer.node;

import dev.starling.certificate.Certificate;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * One problem that was solved: the only one, or one class against the rest.
 *
 * @param updates samples visited at all sites
 */
public record Solved(Certificate certificate, double[] parameter, long updates) {

    /** Writes it for {@link #restore}. */
    public void save(DataOutput out) throws IOException {
        certificate.save(out);
        out.writeLong(updates);
        out.writeInt(parameter.length);
        for (double value : parameter) {
            out.writeDouble(value);
        }
    }

    /** Reads what {@link #save} wrote. */
    public static Solved restore(DataInput in) throws IOException {
        Certificate certificate = Certificate.restore(in);
        long updates = in.readLong();
        double[] parameter = new double[in.readInt()];
        for (int k = 0; k < parameter.length; k++) {
            parameter[k] = in.readDouble();
        }
        return new Solved(certificate, parameter, updates);
    }
}
