package dev.starling.spark.rows;

import dev.starling.data.keys.Fingerprint;
import java.io.Serializable;
import java.util.Comparator;
import java.util.List;

/**
 * The fingerprint of consecutive rows of a partition.
 *
 * @param partition the partition in which they were read
 * @param sequence the position of the stretch among those of this partition
 * @param fingerprint the part of the fingerprint that they contribute
 */
public record RowStretch(int partition, int sequence, Fingerprint.Part fingerprint) implements Serializable {

    /** The order of the rows in the DataFrame. */
    static final Comparator<RowStretch> ORDER =
            Comparator.comparingInt(RowStretch::partition).thenComparingInt(RowStretch::sequence);

    /** The fingerprint of a DataFrame, from all of its stretches in any order. */
    public static String fingerprint(List<RowStretch> all) {
        return all.stream()
                .sorted(ORDER)
                .map(RowStretch::fingerprint)
                .reduce(Fingerprint.Part.NONE, Fingerprint.Part::then)
                .digits();
    }
}
