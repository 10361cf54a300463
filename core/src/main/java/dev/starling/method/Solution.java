package dev.starling.method;

import dev.starling.certificate.Certificate;
import dev.starling.certificate.Exactness;
import dev.starling.node.SavedState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * What a method ended with.
 *
 * @param certificate the proof of how good the parameter is
 * @param parameter θ
 * @param stalled whether it ended, short of the gap asked for, because rounding lets no more be proven
 * @param exactness what is known of the parameter's entries, where nothing is regularised
 * @param lessons what the method has learnt that helps it with the same problem regularised otherwise; it alone can
 *     read them, and they are empty where there are none
 */
public record Solution(
        Certificate certificate, double[] parameter, boolean stalled, Exactness exactness, double[] lessons) {

    private static final double[] NONE = {};

    /** What a method ended with that has learnt nothing beyond it. */
    public Solution(Certificate certificate, double[] parameter, boolean stalled, Exactness exactness) {
        this(certificate, parameter, stalled, exactness, NONE);
    }

    /** What a method ended with that regularises. */
    public Solution(Certificate certificate, double[] parameter, boolean stalled) {
        this(certificate, parameter, stalled, Exactness.UNKNOWN);
    }

    /** What a method ended with that met its rule, or a limit. */
    public Solution(Certificate certificate, double[] parameter) {
        this(certificate, parameter, false);
    }

    /** The same without what was learnt. */
    public Solution withoutLessons() {
        return new Solution(certificate, parameter, stalled, exactness);
    }

    /** Writes it for {@link #restore}. */
    public void save(DataOutput out) throws IOException {
        certificate.save(out);
        SavedState.writeDoubles(out, parameter);
        out.writeBoolean(stalled);
        exactness.save(out);
        SavedState.writeDoubles(out, lessons);
    }

    /** Reads what {@link #save} wrote. */
    public static Solution restore(DataInput in) throws IOException {
        return new Solution(
                Certificate.restore(in),
                SavedState.readDoubles(in, Integer.MAX_VALUE),
                in.readBoolean(),
                Exactness.restore(in),
                SavedState.readDoubles(in, Integer.MAX_VALUE));
    }
}
