package dev.starling.peer.cohort;

import dev.starling.data.keys.RowKeys;
import dev.starling.node.SumKind;
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
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * What rows were multiplied by in every sum of all runs, for as many rows as fit, in a register's folder: encrypted
 * with its key, since that says more than hashes do.
 *
 * @param rows the keyed hashes of rows, sorted
 * @param sums a share for each of them, for every sum
 */
record SlopesFile(long[] rows, List<SlopesAccount.Sum> sums) {

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
        // Kinds come last; a register that was written before there were any has gradients and slopes on lines.
        int kinds = plain.position() + Double.BYTES * rows.length * columns;
        List<SlopesAccount.Sum> sums = new ArrayList<>();
        for (int c = 0; c < columns; c++) {
            double[] column = new double[rows.length];
            plain.asDoubleBuffer().get(column);
            plain.position(plain.position() + Double.BYTES * rows.length);
            SumKind kind = kinds < plain.limit() ? SlopesAccount.KINDS.get(plain.get(kinds + c)) : SumKind.GRADIENT;
            sums.add(new SlopesAccount.Sum(kind, column));
        }
        return new SlopesFile(rows, sums);
    }

    void write(Path folder, byte[] key) throws IOException {
        ByteBuffer plain = ByteBuffer.allocate(
                2 * Integer.BYTES + Long.BYTES * rows.length + Double.BYTES * rows.length * sums.size() + sums.size());
        plain.putInt(rows.length).putInt(sums.size());
        for (long row : rows) {
            plain.putLong(row);
        }
        for (SlopesAccount.Sum sum : sums) {
            for (double share : sum.shares()) {
                plain.putDouble(share);
            }
        }
        sums.forEach(sum -> plain.put((byte) SlopesAccount.KINDS.indexOf(sum.kind())));
        OwnerOnly.replace(folder.resolve(NAME), Encrypted.of(key, plain.array()));
    }

    /** Numbers for the rows of people; several rows of one person have different ones. */
    static long[] numbered(long[] persons) {
        if (Linkage.union(new long[0], persons).length == persons.length) {
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
     * @param numbers the numbers of the run's rows
     */
    SlopesFile with(long[] numbers) {
        int[] places = Linkage.places(numbers, rows);
        long[] all = LongStream.concat(
                        LongStream.of(rows),
                        IntStream.range(0, numbers.length)
                                .filter(row -> places[row] < 0)
                                .mapToLong(row -> numbers[row]))
                .toArray();
        while (all.length > SlopesAccount.MOST_ROWS) {
            int bit = thinned(all);
            all = LongStream.of(all).filter(row -> (row >>> bit & 1) == 0).toArray();
        }
        long[] kept = LongStream.of(all).sorted().distinct().toArray();
        List<SlopesAccount.Sum> moved = new ArrayList<>();
        for (SlopesAccount.Sum sum : sums) {
            double[] now = new double[kept.length];
            for (int k = 0; k < kept.length; k++) {
                int place = Arrays.binarySearch(rows, kept[k]);
                now[k] = place < 0 ? 0 : sum.shares()[place];
            }
            moved.add(new SlopesAccount.Sum(sum.kind(), now));
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
    SlopesAccount account(long[] numbers) {
        return new SlopesAccount(rows.length, sums, Linkage.places(numbers, rows));
    }

    /** This file with the sums of a run. */
    SlopesFile with(List<SlopesAccount.Sum> added) {
        List<SlopesAccount.Sum> all = new ArrayList<>(sums);
        all.addAll(added);
        return new SlopesFile(rows, all);
    }
}
