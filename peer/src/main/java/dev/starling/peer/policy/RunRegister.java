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
 * What a site remembers over all its runs: of its rows, keyed hashes, so that a run after one of them was corrected,
 * which would show that row as the difference of this run and an earlier one, is noticed; who took part; and how often
 * rows were looked at. The hashes are of use to nobody else, and never leave the site.
 */
public final class RunRegister {

    private static final String MAC = "HmacSHA256";
    private static final int KEY_BYTES = 32;
    private static final String REGISTER = "register";

    /**
     * A run that has begun.
     *
     * @param members the sites that took part
     * @param rows which of the sets of rows it was about
     */
    private record Run(String name, List<String> members, int rows) {}

    private final Path file;
    private final byte[] key;
    private final List<Run> runs = new ArrayList<>();

    /** Sorted hashes of rows, a set for each time that they had changed. */
    private final List<long[]> sets = new ArrayList<>();

    private long passes;
    private Dataset hashed;
    private long[] hashes = {};

    private RunRegister(Path file, byte[] key) {
        this.file = file;
        this.key = key;
    }

    /** The register in a folder of the site's, new or taken up. */
    public static RunRegister open(Path folder) throws IOException {
        Path keyFile = folder.resolve("register.key");
        if (!Files.exists(keyFile)) {
            byte[] drawn = new byte[KEY_BYTES];
            new SecureRandom().nextBytes(drawn);
            OwnerOnly.replace(keyFile, drawn);
        }
        RunRegister register = new RunRegister(folder.resolve(REGISTER), Files.readAllBytes(keyFile));
        if (Files.exists(register.file)) {
            register.read();
        }
        return register;
    }

    /** The register in a folder of the site's, if there is one; nothing is made. */
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

    /** Sums at a point that were told of rows like these in earlier runs. */
    public long passes() {
        return passes;
    }

    /**
     * Checks that a run with these rows and members can be told apart from no earlier one in a way that matters.
     *
     * @param changedByAgreement whether those who take part have signed a change of members
     * @throws InvalidInputException naming one that it can be told apart from
     */
    public void require(String run, List<String> sites, Dataset data, Policy policy, boolean changedByAgreement) {
        // Where the same sites have begun a run before, that was allowed then, by agreement or as the first.
        boolean known =
                runs.stream().anyMatch(earlier -> Set.copyOf(earlier.members).equals(Set.copyOf(sites)));
        for (Run earlier : runs) {
            if (!changedByAgreement && !known) {
                requireSameMembers(earlier, sites);
            }
            int changed = changed(sets.get(earlier.rows), hashes(data));
            if (changed > 0 && changed < policy.fewestRows()) {
                throw new InvalidInputException(changed + (changed == 1 ? " row has" : " rows have")
                        + " changed since run " + earlier.name + "; the difference of the two runs would show "
                        + (changed == 1 ? "it" : "them") + ". Change none or at least " + policy.fewestRows()
                        + " (policy: fewest-rows)");
            }
        }
        if (!isLast(run) && passes >= policy.mostPassesEver()) {
            throw new InvalidInputException("these rows were looked at " + passes + " times in earlier runs; at most "
                    + policy.mostPassesEver() + " are allowed (policy: passes-ever)");
        }
    }

    private boolean isLast(String run) {
        return !runs.isEmpty() && runs.get(runs.size() - 1).name.equals(run);
    }

    /** What two runs tell that differ by one site is that site's own. */
    private static void requireSameMembers(Run earlier, List<String> sites) {
        List<String> different = Stream.concat(
                        sites.stream().filter(name -> !earlier.members.contains(name)),
                        earlier.members.stream().filter(name -> !sites.contains(name)))
                .toList();
        if (different.size() == 1) {
            throw new InvalidInputException("run " + earlier.name + " was with the sites " + earlier.members
                    + ", this one is with " + sites + ": the difference of the two would show the sums of "
                    + different.get(0) + " alone. 'starling network change' asks for its consent");
        }
    }

    /**
     * Writes down a run, before the first sum of it leaves the site, with all that it may tell. Rows that are mostly
     * new are counted anew.
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

    /** Gives back what a run might have told and has not. */
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

    /** Rows in one list and not in the other, counted once each if one was put in another's place; both are sorted. */
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

    /** Asked for when a run is checked and again when it begins, of the same rows. */
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
                        2 * Double.BYTES + (data.end(i) - data.start(i)) * (Integer.BYTES + Float.BYTES));
                row.putDouble(data.label(i)).putDouble(data.weight(i));
                for (int k = data.start(i); k < data.end(i); k++) {
                    if (data.values()[k] != 0f) {
                        row.putInt(data.isDense() ? k - data.start(i) : data.columns()[k])
                                .putFloat(data.values()[k]);
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
