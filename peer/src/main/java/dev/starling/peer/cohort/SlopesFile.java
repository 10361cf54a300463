package dev.starling.peer.cohort;

import dev.starling.data.RowKeys;
import dev.starling.peer.keys.Encrypted;
import dev.starling.peer.keys.OwnerOnly;
import dev.starling.peer.policy.SlopesAccount;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * The slopes of every pass of all runs, for as many rows as fit, in a register's folder: encrypted with its key, since
 * they say more than hashes do.
 *
 * @param rows the keyed hashes of rows, sorted
 * @param columns a slope for each of them, for every pass
 */
record SlopesFile(long[] rows, List<double[]> columns) {

    private static final String NAME = "slopes";

    static SlopesFile read(Path folder, byte[] key) throws IOException {
        Path file = folder.resolve(NAME);
        if (!Files.exists(file)) {
            return new SlopesFile(new long[0], List.of());
        }
        ByteBuffer plain = ByteBuffer.wrap(Encrypted.open(
                key,
                Files.readAllBytes(file),
                file + " was altered; restore the register's folder from its newest backup"));
        long[] rows = new long[plain.getInt()];
        int columns = plain.getInt();
        plain.asLongBuffer().get(rows);
        plain.position(plain.position() + Long.BYTES * rows.length);
        List<double[]> slopes = new ArrayList<>();
        for (int c = 0; c < columns; c++) {
            double[] column = new double[rows.length];
            plain.asDoubleBuffer().get(column);
            plain.position(plain.position() + Double.BYTES * rows.length);
            slopes.add(column);
        }
        return new SlopesFile(rows, slopes);
    }

    void write(Path folder, byte[] key) throws IOException {
        ByteBuffer plain = ByteBuffer.allocate(
                2 * Integer.BYTES + Long.BYTES * rows.length + Double.BYTES * rows.length * columns.size());
        plain.putInt(rows.length).putInt(columns.size());
        for (long row : rows) {
            plain.putLong(row);
        }
        for (double[] column : columns) {
            for (double slope : column) {
                plain.putDouble(slope);
            }
        }
        OwnerOnly.replace(folder.resolve(NAME), Encrypted.of(key, plain.array()));
    }

    /** Numbers for the rows of people; several rows of one person have different ones. */
    private static long[] numbered(long[] persons) {
        if (Linkage.union(persons, new long[0]).length == persons.length) {
            return persons.clone();
        }
        Map<Long, Integer> seen = new HashMap<>();
        long[] numbers = new long[persons.length];
        for (int row = 0; row < persons.length; row++) {
            int before = seen.merge(persons[row], 1, Integer::sum) - 1;
            numbers[row] = before == 0 ? persons[row] : RowKeys.mixed(persons[row], before);
        }
        return numbers;
    }

    /**
     * The rows of this file and of a run, thinned out by their hashes until they are few enough, with what is known of
     * them.
     *
     * @param persons the person that each row of the run is about
     */
    SlopesFile with(long[] persons) {
        long[] all = Linkage.union(rows, numbered(persons));
        while (all.length > SlopesAccount.MOST_ROWS) {
            int bit = thinned(all);
            all = LongStream.of(all).filter(row -> (row >>> bit & 1) == 0).toArray();
        }
        long[] kept = all;
        List<double[]> moved = new ArrayList<>();
        for (double[] column : columns) {
            double[] now = new double[kept.length];
            for (int k = 0; k < kept.length; k++) {
                int place = Arrays.binarySearch(rows, kept[k]);
                now[k] = place < 0 ? 0 : column[place];
            }
            moved.add(now);
        }
        return new SlopesFile(kept, moved);
    }

    /** The lowest bit in which some rows still differ. */
    private static int thinned(long[] all) {
        int bit = 0;
        while (bit < Long.SIZE - 1 && sameInBit(all, bit)) {
            bit++;
        }
        return bit;
    }

    private static boolean sameInBit(long[] all, int bit) {
        for (long one : all) {
            if ((one >>> bit & 1) != (all[0] >>> bit & 1)) {
                return false;
            }
        }
        return true;
    }

    /** The account of a run, whose rows are among these. */
    SlopesAccount account(long[] persons) {
        long[] numbers = numbered(persons);
        int[] places = new int[numbers.length];
        Arrays.setAll(places, row -> Arrays.binarySearch(rows, numbers[row]));
        return new SlopesAccount(rows.length, columns, places);
    }

    /** This file with the slopes of a run. */
    SlopesFile with(List<double[]> added) {
        List<double[]> all = new ArrayList<>(columns);
        all.addAll(added);
        return new SlopesFile(rows, all);
    }
}
