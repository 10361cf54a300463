package dev.starling.peer.sums;

import dev.starling.data.InvalidInputException;
import dev.starling.node.HiddenSum;
import dev.starling.node.SumWords;
import dev.starling.peer.keys.OwnerOnly;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a site shows an auditor whom all sites have accepted: its own part of every sum, the salts of the hashes with
 * which it sealed them, the totals that it was told with their signatures, and, if it was kept, the session's private
 * key. It says everything that the site's rows have contributed, and is for nobody else.
 *
 * @param site the site's number
 * @param facts the facts of all sites, as this site knows them
 * @param chain the site's certificate chain
 * @param privateKey the site's private key in the session; zeros if it was erased
 * @param sums all sums, in order
 */
public record Opening(int site, List<byte[]> facts, byte[] chain, byte[] privateKey, List<Opened> sums) {

    /**
     * A site's part of a sum.
     *
     * @param question the digest of the request and of everything before it
     * @param salt the salt of the seal
     * @param words the words of the addend, before they were masked
     * @param result what the site was told: totals, the seals of all sites, the root's signature
     */
    public record Opened(byte[] question, byte[] salt, double[] words, double[] result) {

        /** The number of totals, with their head. */
        int length() {
            return words.length / SumWords.LIMBS + 1;
        }

        double[] told(int sites) {
            return Arrays.copyOf(result, length() + sites * Seals.LENGTH);
        }

        byte[] addendSeal(int site) {
            return Seals.read(result, length() + site * Seals.LENGTH, Sha256.BYTES);
        }

        byte[] passedOnSeal(int site) {
            return Seals.read(result, length() + site * Seals.LENGTH + Seals.HASH_LENGTH, Sha256.BYTES);
        }

        byte[] signature(int sites) {
            return Seals.signature(
                    Arrays.copyOfRange(result, length() + sites * Seals.LENGTH, Math.max(length(), result.length)));
        }
    }

    private static final String TITLE = "starling opening 1";
    private static final int LONGEST = 1 << 28;

    /** Copies the lists. */
    public Opening {
        facts = List.copyOf(facts);
        sums = List.copyOf(sums);
    }

    /** Whether the session's private key is there. */
    boolean hasKey() {
        return !Arrays.equals(privateKey, new byte[privateKey.length]);
    }

    /** Writes the file, which only its owner may read. */
    public void save(Path file) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeUTF(TITLE);
            out.writeInt(site);
            out.writeInt(facts.size());
            for (byte[] one : facts) {
                write(out, one);
            }
            write(out, chain);
            write(out, privateKey);
            out.writeInt(sums.size());
            for (Opened sum : sums) {
                write(out, sum.question);
                write(out, sum.salt);
                write(out, sum.words);
                write(out, sum.result);
            }
        }
        OwnerOnly.replace(file, bytes.toByteArray());
    }

    /** Reads a file that a site has handed over, and that may hold anything. */
    public static Opening read(Path file) throws IOException {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(Files.readAllBytes(file)))) {
            if (!in.readUTF().equals(TITLE)) {
                throw new InvalidInputException(file + " is not what 'starling audit open' writes");
            }
            int site = in.readInt();
            List<byte[]> facts = new ArrayList<>();
            for (int left = count(in, 1); left > 0; left--) {
                facts.add(bytes(in));
            }
            byte[] chain = bytes(in);
            byte[] key = bytes(in);
            List<Opened> sums = new ArrayList<>();
            for (int left = count(in, 1); left > 0; left--) {
                Opened sum = new Opened(bytes(in), bytes(in), numbers(in), numbers(in));
                if (sum.words.length % SumWords.LIMBS != 0
                        || sum.length() < HiddenSum.HEAD
                        || sum.result.length < sum.length() + facts.size() * Seals.LENGTH) {
                    throw new InvalidInputException(file + " has a sum that is cut short");
                }
                sums.add(sum);
            }
            if (site < 0 || site >= facts.size()) {
                throw new InvalidInputException(file + " is of site " + site + " of " + facts.size());
            }
            return new Opening(site, facts, chain, key, sums);
        } catch (IOException e) {
            throw new InvalidInputException(file + " cannot be read, or is cut short: " + e.getMessage(), e);
        }
    }

    private static void write(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static void write(DataOutputStream out, double[] numbers) throws IOException {
        out.writeInt(numbers.length);
        for (double number : numbers) {
            out.writeDouble(number);
        }
    }

    private static int count(DataInputStream in, int bytesEach) throws IOException {
        int count = in.readInt();
        if (count < 0 || count > Math.min(LONGEST, in.available() / bytesEach)) {
            throw new IOException("a count of " + count);
        }
        return count;
    }

    private static byte[] bytes(DataInputStream in) throws IOException {
        byte[] bytes = new byte[count(in, 1)];
        in.readFully(bytes);
        return bytes;
    }

    private static double[] numbers(DataInputStream in) throws IOException {
        double[] numbers = new double[count(in, Double.BYTES)];
        for (int k = 0; k < numbers.length; k++) {
            numbers[k] = in.readDouble();
        }
        return numbers;
    }
}
