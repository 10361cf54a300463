package dev.starling.peer.sums;

import dev.starling.data.InvalidInputException;
import dev.starling.node.HiddenSum;
import dev.starling.node.State;
import dev.starling.node.SumWords;
import dev.starling.peer.keys.Bytes;
import dev.starling.peer.keys.OwnerOnly;
import dev.starling.peer.trust.Sha256;
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
    private static final int LONGEST = 1 << 24;
    private static final byte[] NOTHING = {};

    /** Copies the lists. */
    public Opening {
        facts = List.copyOf(facts);
        sums = List.copyOf(sums);
    }

    /** Whether the session's private key is there. */
    boolean hasKey() {
        return !Arrays.equals(privateKey, new byte[privateKey.length]);
    }

    private static Opening state(State s, Opening opening) throws IOException {
        Bytes.title(s, TITLE);
        int site = s.number(opening.site);
        List<byte[]> facts = new ArrayList<>(opening.facts);
        s.elements(facts, NOTHING, (one, bytes) -> one.bytes(bytes, LONGEST));
        byte[] chain = s.bytes(opening.chain, LONGEST);
        byte[] key = s.bytes(opening.privateKey, Sha256.BYTES);
        List<Opened> sums = new ArrayList<>(opening.sums);
        s.elements(
                sums,
                new Opened(NOTHING, NOTHING, new double[0], new double[0]),
                (one, sum) -> new Opened(
                        one.bytes(sum.question, LONGEST),
                        one.bytes(sum.salt, LONGEST),
                        one.vector(sum.words, LONGEST),
                        one.vector(sum.result, LONGEST)));
        return new Opening(site, facts, chain, key, sums);
    }

    /** Writes the file, which only its owner may read. */
    public void save(Path file) throws IOException {
        OwnerOnly.replace(file, Bytes.of(this, Opening::state));
    }

    /** Reads a file that a site has handed over, and that may hold anything. */
    public static Opening read(Path file) throws IOException {
        Opening blank = new Opening(0, List.of(), NOTHING, NOTHING, List.of());
        Opening read = Bytes.read(
                Files.readAllBytes(file), blank, Opening::state, file + ", which 'starling audit open' should write,");
        for (Opened sum : read.sums) {
            if (sum.words.length % SumWords.LIMBS != 0
                    || sum.length() < HiddenSum.HEAD
                    || sum.result.length < sum.length() + read.facts.size() * Seals.LENGTH) {
                throw new InvalidInputException(file + " has a sum that is cut short");
            }
        }
        if (read.site < 0 || read.site >= read.facts.size()) {
            throw new InvalidInputException(file + " is of site " + read.site + " of " + read.facts.size());
        }
        return read;
    }
}
