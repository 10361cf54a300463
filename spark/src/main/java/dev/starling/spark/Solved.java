package dev.starling.spark;

import dev.starling.certificate.Certificate;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** One problem that was solved: the only one, or one class against the rest. */
record Solved(Certificate certificate, double[] parameter, long updates) {

    void write(DataOutput out) throws IOException {
        out.writeDouble(certificate.objective());
        out.writeDouble(certificate.dual());
        out.writeLong(certificate.steps());
        out.writeDouble(certificate.epochs());
        out.writeLong(updates);
        out.writeInt(parameter.length);
        for (double value : parameter) {
            out.writeDouble(value);
        }
    }

    static Solved read(DataInput in) throws IOException {
        Certificate certificate = new Certificate(in.readDouble(), in.readDouble(), in.readLong(), in.readDouble());
        long updates = in.readLong();
        double[] parameter = new double[in.readInt()];
        for (int k = 0; k < parameter.length; k++) {
            parameter[k] = in.readDouble();
        }
        return new Solved(certificate, parameter, updates);
    }
}
