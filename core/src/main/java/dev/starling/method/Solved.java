package dev.starling.method;

import dev.starling.certificate.Certificate;
import dev.starling.node.SavedState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * What a method ended with.
 *
 * @param certificate the proof of how good the parameter is
 * @param parameter θ
 */
public record Solved(Certificate certificate, double[] parameter) {

    /** Writes it for {@link #restore}. */
    public void save(DataOutput out) throws IOException {
        certificate.save(out);
        SavedState.writeDoubles(out, parameter);
    }

    /** Reads what {@link #save} wrote. */
    public static Solved restore(DataInput in) throws IOException {
        return new Solved(Certificate.restore(in), SavedState.readDoubles(in, Integer.MAX_VALUE));
    }
}
