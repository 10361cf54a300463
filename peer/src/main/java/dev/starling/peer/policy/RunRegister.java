package dev.starling.peer.policy;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.peer.keys.OwnerOnly;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What a site remembers across all its runs: keyed hashes of its rows, who took part, and how many passes were made
 * over the rows. With the hashes it notices when only a few rows have changed since an earlier run, since the
 * difference between the two runs would reveal those rows. The hashes are useless to anybody else, and never leave the
 * site.
 */
public final class RunRegister {

    private static final String MAC = "HmacSHA256";
    private static final int KEY_BYTES = 32;
    private static final String REGISTER = "register";

    /**
     * A run that was begun.
     *
     * @param members the sites that took part
     * @param rows the index of its set of rows
     */
    private record Run(String name, List<String> members, int rows) {}

    private final Path file;
    private final byte[] key;
    private final List<Run> runs = new ArrayList<>();

    /** Sorted hashes of rows; one set for each time that the rows had changed. */
    private final List<long[]> sets = new ArrayList<>();

    private long passes;
    private Dataset hashed;
    private long[] hashes = {};

    private RunRegister(Path file, byte[] key) {
        this.file = file;
        this.key = key;
    }

    /** Opens the register in a folder of the site, or creates a new one. */
    public static RunRegister open(Path folder) throws IOException {
        Path keyFile = folder.resolve("register.key");
        if (!Files.exists(keyFile)) {
            byte[] random = new byte[KEY_BYTES];
            new SecureRandom().nextBytes(random);
            OwnerOnly.replace(keyFile, random);
        }
        RunRegister register = new RunRegister(folder.resolve(REGISTER), Files.readAllBytes(keyFile));
        if (Files.exists(register.file)) {
            register.read();
        }
        return register;
    }

    /** Opens the register in a folder of the site, if there is one; does not create one. */
    public static Optional<RunRegister> find(Path folder) throws IOException {
        return Files.exists(folder.resolve(REGISTER)) ? Optional.of(open(folder)) : Optional.empty();
    }

    private void read() throws IOException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(Files.readAllBytes(file)))) {
            passes = in.readLong();
            for (int left = in.readInt(); left > 0; left--) {
                runs.add(new Run(in.readUTF(), List.of(in.readUTF().split(",")), in.readInt()));
            }
            for (int left = in.readInt(); left > 0; left--) {
                long[] rows = new long[in.readInt()];
                for (int i = 0; i < rows.length; i++) {
                    rows[i] = in.readLong();
                }
                sets.add(rows);
            }
        }
    }

    /** The number of sums at a point that were released about these rows in earlier runs. */
    public long passes() {
        return passes;
    }

    /**
     * Checks that the difference between a run with these rows and members and any earlier run would reveal neither a
     * few rows nor the sums of a single site, and that these rows may be used in another run.
     *
     * @param changedByAgreement whether the sites that take part have signed a change of membership
     * @throws InvalidInputException naming the earlier run, or the rule that forbids this one
     */
    public void require(String run, List<String> sites, Dataset data, Policy policy, boolean changedByAgreement) {
        // If the same sites have begun a run before, it was allowed then, either by agreement or as the first run.
        boolean known =
                runs.stream().anyMatch(earlier -> Set.copyOf(earlier.members).equals(Set.copyOf(sites)));
        for (Run earlier : runs) {
            if (!changedByAgreement && !known) {
                requireSameMembers(earlier, sites);
            }
            int changed = changed(sets.get(earlier.rows), hashes(data));
            if (changed > 0 && changed < policy.fewestRows()) {
                throw new InvalidInputException(changed + (changed == 1 ? " row has" : " rows have")
                        + " changed since run " + earlier.name + "; the difference between the two runs would reveal "
                        + (changed == 1 ? "it" : "them") + ". Change none or at least " + policy.fewestRows()
                        + " (policy: fewest-rows)");
            }
        }
        if (!isLast(run) && passes >= policy.mostPassesEver()) {
            throw new InvalidInputException("earlier runs made " + passes + " passes over these rows; at most "
                    + policy.mostPassesEver() + " are allowed (policy: passes-ever)");
        }
    }

    private boolean isLast(String run) {
        return !runs.isEmpty() && runs.get(runs.size() - 1).name.equals(run);
    }

    /** If two runs differ by one site, the difference between their totals is that site's own sums. */
    private static void requireSameMembers(Run earlier, List<String> sites) {
        List<String> different = Stream.concat(
                        sites.stream().filter(name -> !earlier.members.contains(name)),
                        earlier.members.stream().filter(name -> !sites.contains(name)))
                .toList();
        if (different.size() == 1) {
            throw new InvalidInputException("run " + earlier.name + " was with the sites " + earlier.members
                    + ", this one is with " + sites + ": the difference between the two would reveal the sums of "
                    + different.get(0) + " alone. 'starling network change' asks for its consent");
        }
    }

    /**
     * Records a run before its first sum leaves the site, and counts all passes that it may make. If at least half of
     * the rows are new, the count starts over.
     */
    public void begin(String run, List<String> sites, Dataset data, long most) throws IOException {
        long[] now = hashes(data);
        long[] before = sets.isEmpty() ? new long[0] : sets.get(sets.size() - 1);
        passes = 2L * changed(before, now) < now.length ? passes : 0;
        passes += isLast(run) ? 0 : most;
        if (changed(before, now) > 0 || sets.isEmpty()) {
            sets.add(now);
        }
        if (isLast(run)) {
            runs.remove(runs.size() - 1);
        }
        runs.add(new Run(run, sites, sets.size() - 1));
        write();
    }

    /** Returns the passes that a run was allowed to make and did not. */
    public void giveBack(long unused) throws IOException {
        passes -= unused;
        write();
    }

    private void write() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeLong(passes);
            out.writeInt(runs.size());
            for (Run run : runs) {
                out.writeUTF(run.name);
                out.writeUTF(String.join(",", run.members));
                out.writeInt(run.rows);
            }
            out.writeInt(sets.size());
            for (long[] rows : sets) {
                out.writeInt(rows.length);
                for (long row : rows) {
                    out.writeLong(row);
                }
            }
        }
        OwnerOnly.replace(file, bytes.toByteArray());
    }

    /**
     * The number of rows that are in one list but not in the other, where a replaced row counts once; both are sorted.
     */
    private static int changed(long[] before, long[] now) {
        int gone = 0;
        int added = 0;
        int i = 0;
        int j = 0;
        while (i < before.length || j < now.length) {
            if (j == now.length || (i < before.length && before[i] < now[j])) {
                gone++;
                i++;
            } else if (i == before.length || now[j] < before[i]) {
                added++;
                j++;
            } else {
                i++;
                j++;
            }
        }
        return Math.max(gone, added);
    }

    /** The hashes of rows; they are cached, since they are needed both when a run is checked and when it begins. */
    private long[] hashes(Dataset data) {
        if (hashed != data) {
            hashes = computed(data);
            hashed = data;
        }
        return hashes;
    }

    private long[] computed(Dataset data) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(new SecretKeySpec(key, MAC));
            long[] sorted = new long[data.rows()];
            for (int i = 0; i < sorted.length; i++) {
                ByteBuffer row = ByteBuffer.allocate(
                        2 * Double.BYTES + (data.end(i) - data.start(i)) * (Integer.BYTES + Double.BYTES));
                row.putDouble(data.label(i)).putDouble(data.weight(i));
                for (int k = data.start(i); k < data.end(i); k++) {
                    if (data.values().at(k) != 0) {
                        row.putInt(data.isDense() ? k - data.start(i) : data.columns()[k])
                                .putDouble(data.values().at(k));
                    }
                }
                mac.update(row.array(), 0, row.position());
                sorted[i] = ByteBuffer.wrap(mac.doFinal()).getLong();
            }
            Arrays.sort(sorted);
            return sorted;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HMAC with SHA-256", e);
        }
    }
}
