package dev.starling.peer.sums;

import dev.starling.data.InvalidInputException;
import dev.starling.node.State;
import dev.starling.peer.keys.Bytes;
import dev.starling.peer.keys.Encrypted;
import dev.starling.peer.keys.ModelStatement;
import dev.starling.peer.keys.SiteSignature;
import dev.starling.peer.trust.KeyPin;
import dev.starling.peer.trust.Sha256;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * How sites establish a session: each sends its signed facts to all others; once it has everyone's, it derives the
 * session's identifier from them, signs it, and proves to each of the others that they share a key. Sums begin once
 * every site has proven this to every other.
 *
 * <p>Nothing that is sent here is secret. What a site states counts only with its own signature, whoever forwards it.
 *
 * <p>It is longer than most classes, because each step of the introduction is checked where it is taken.
 */
public final class SumSession implements SumWitness {

    private static final String FACTS = "Starling facts 1";
    private static final String SESSION = "Starling session 1";
    private static final String FILE = "Starling file 1";
    private static final String TESTIMONY = "Starling testimony 1";
    private static final int TAG_BYTES = 16;

    /** The root of every spanning tree. */
    private static final int ROOT = 0;

    /**
     * A signed statement of a site.
     *
     * @param content the statement
     * @param signature the signature over the SHA-256 of the content
     * @param chain the site's certificate chain
     */
    public record Attestation(byte[] content, byte[] signature, byte[] chain) {

        private static Attestation state(State s, Attestation one) throws IOException {
            return new Attestation(
                    s.bytes(one.content, LONGEST_FILE),
                    s.bytes(one.signature, LONGEST_PART),
                    s.bytes(one.chain, LONGEST_PART));
        }
    }

    private static final int LONGEST_PART = 32 * 1024;
    private static final int LONGEST_FILE = 1 << 30;

    /**
     * How a site must identify itself.
     *
     * @param name the name that its certificate must carry
     * @param pin its public key, if it is pinned
     */
    public record Member(String name, Optional<KeyPin> pin) {}

    private final int self;
    private final List<Member> members;
    private final SiteSignature signer;
    private final SessionSecrets secrets;
    private final byte[] ownFacts;
    private final byte[][] encoded;
    private final SiteFacts[] facts;
    private final X509Certificate[] certificates;
    private final boolean[] confirmed;
    /** The keys of sites that say theirs before their facts, and the secrets by which files between are encrypted. */
    private final byte[][] keysBefore;

    private final byte[][] fileKeys;

    private byte[] id;
    private Masks masks;
    private byte[][] pairKeys;

    /**
     * Creates a session that has not been established yet.
     *
     * @param members all sites, in order
     * @param signer signs for this site, and checks others' signatures
     * @param own the facts of this site, which include its number
     */
    public SumSession(List<Member> members, SiteSignature signer, SessionSecrets secrets, SiteFacts own) {
        this.self = own.site();
        this.members = List.copyOf(members);
        this.signer = signer;
        this.secrets = secrets;
        this.encoded = new byte[members.size()][];
        this.facts = new SiteFacts[members.size()];
        this.certificates = new X509Certificate[members.size()];
        this.confirmed = new boolean[members.size()];
        this.keysBefore = new byte[members.size()][];
        this.fileKeys = new byte[members.size()][];
        byte[] bytes = own.encode();
        this.ownFacts = signed(bytes, FACTS);
        this.certificates[self] = SiteSignature.chain(signer.chain()).get(0);
        learn(self, own, bytes);
    }

    private byte[] signed(byte[] content, String context) {
        byte[] signature = signer.sign(context, Sha256.plain().put(content).value());
        return Bytes.of(new Attestation(content, signature, signer.chain()), Attestation::state);
    }

    /** Returns the content if the site has signed it; anybody may forward anything in its name. */
    private Optional<byte[]> verified(int origin, byte[] body, String context) {
        try {
            Attestation parts = attestation(body);
            Member member = members.get(origin);
            signer.verify(
                    context,
                    Sha256.plain().put(parts.content).value(),
                    parts.signature,
                    SiteSignature.chain(parts.chain),
                    member.pin(),
                    member.name());
            return Optional.of(parts.content);
        } catch (InvalidInputException e) {
            return Optional.empty();
        }
    }

    /** Signs this site's statement about the model at the end. */
    public byte[] attest(byte[] statement) {
        return signed(statement, ModelStatement.CONTEXT);
    }

    /** Receives what a site states about the model at the end; returns false if the site has not signed it. */
    public boolean attestation(int origin, byte[] body) {
        return verified(origin, body, ModelStatement.CONTEXT).isPresent();
    }

    /** Signs what this site writes to a file for the others. */
    public byte[] signFile(byte[] content) {
        return signed(content, FILE);
    }

    /** Whether a site has signed what is in a file. */
    public boolean isSignedFile(int origin, byte[] body) {
        return verified(origin, body, FILE).isPresent();
    }

    /** Encrypts a part of one of this site's files for another site. */
    public byte[] encryptFile(int to, int number, byte[] content) {
        return Encrypted.of(fileKey(self, to, number), content);
    }

    /**
     * Decrypts a part of a file, of which this site is one end.
     *
     * @throws InvalidInputException if it was altered, or is of another session
     */
    public byte[] decryptFile(int from, int to, int number, byte[] content) {
        return Encrypted.open(
                fileKey(from, to, number),
                content,
                "file " + number + " of site " + members.get(from).name()
                        + " was altered, or belongs to another session");
    }

    private synchronized byte[] fileKey(int from, int to, int number) {
        byte[] info = ByteBuffer.allocate(3 * Integer.BYTES)
                .putInt(from)
                .putInt(to)
                .putInt(number)
                .array();
        return Sha256.expand(fileKeys[from == self ? to : from], "starling file 1", info);
    }

    /** The key that this site tells the others before its facts, where these travel through other hands. */
    public byte[] ownKey() {
        return secrets.publicKey();
    }

    /** Receives the key of a site, which its facts must confirm, from a file that it has signed. */
    public synchronized void key(int origin, byte[] key) {
        if (key.length != Sha256.BYTES) {
            throw new InvalidInputException("the key of site "
                    + members.get(origin).name() + " has " + key.length + " bytes, not " + Sha256.BYTES);
        }
        keysBefore[origin] = key.clone();
        fileKeys[origin] = secrets.pairKey(
                Sha256.of("starling files 1")
                        .put(facts[self].run().getBytes(StandardCharsets.UTF_8))
                        .value(),
                key);
    }

    /** The commitments of all sites to their rows. */
    public synchronized List<String> commitments() {
        return Arrays.stream(facts).map(SiteFacts::committed).toList();
    }

    /** Splits what a site has signed into its parts. */
    public static Attestation attestation(byte[] body) {
        byte[] none = {};
        return Bytes.read(body, new Attestation(none, none, none), Attestation::state, "what a site has signed");
    }

    /** The signed facts that this site sends to all others first. */
    public byte[] ownFacts() {
        return ownFacts.clone();
    }

    /**
     * Receives a site's facts; returns false if that site has not signed them.
     *
     * @throws InvalidInputException if it has signed other facts before, or its facts do not belong to this run
     */
    public synchronized boolean facts(int origin, byte[] body) {
        byte[] bytes = verified(origin, body, FACTS).orElse(null);
        if (bytes == null) {
            return false;
        }
        SiteFacts received = SiteFacts.decode(bytes);
        String name = members.get(origin).name();
        if (received.site() != origin) {
            throw new InvalidInputException("facts of site " + received.site() + " were sent as those of site " + name);
        }
        if (encoded[origin] != null && !Arrays.equals(encoded[origin], bytes)) {
            throw new InvalidInputException(
                    "site " + name + " has signed two different sets of facts for this run; it was set up again, or"
                            + " sends different keys to different sites: start a run under another name");
        }
        requireSame("run", name, received.run().equals(facts[self].run()));
        requireSame("network or pinned keys", name, Arrays.equals(received.network(), facts[self].network()));
        requireSame(
                "key than it told before",
                name,
                keysBefore[origin] == null || Arrays.equals(keysBefore[origin], received.publicKey()));
        for (int other = 0; other < facts.length; other++) {
            if (other != origin
                    && facts[other] != null
                    && Arrays.equals(facts[other].publicKey(), received.publicKey())) {
                throw new InvalidInputException("sites " + members.get(other).name() + " and " + name
                        + " have the same session key; one of them has copied it");
            }
        }
        certificates[origin] = SiteSignature.chain(attestation(body).chain).get(0);
        learn(origin, received, bytes);
        return true;
    }

    /**
     * Checks, once the facts of all sites are known, that all have signed the same settings and columns.
     *
     * @throws InvalidInputException naming one that has not
     */
    public synchronized void requireAgreement() {
        for (int site = 0; site < facts.length; site++) {
            String name = members.get(site).name();
            requireSame(
                    "set of settings or columns", name, Arrays.equals(facts[site].settings(), facts[self].settings()));
        }
    }

    private static void requireSame(String what, String name, boolean same) {
        if (!same) {
            throw new InvalidInputException("site " + name + " has signed facts with another " + what);
        }
    }

    private void learn(int origin, SiteFacts received, byte[] bytes) {
        facts[origin] = received;
        encoded[origin] = bytes;
        if (id == null && IntStream.range(0, facts.length).allMatch(site -> facts[site] != null)) {
            derive();
        }
    }

    private void derive() {
        id = id(encoded);
        if (secrets.areForgotten()) {
            Arrays.fill(confirmed, true);
            return;
        }
        pairKeys = new byte[facts.length][];
        byte[][] publicKeys = new byte[facts.length][];
        for (int other = 0; other < facts.length; other++) {
            publicKeys[other] = facts[other].publicKey();
            pairKeys[other] = other == self ? new byte[0] : secrets.pairKey(id, publicKeys[other]);
        }
        masks = new Masks(self, publicKeys, pairKeys);
        confirmed[self] = true;
    }

    /** Derives the session's identifier from the facts of all sites. */
    static byte[] id(byte[][] encodedFacts) {
        Sha256 session = Sha256.of("starling session 1");
        for (byte[] one : encodedFacts) {
            session.putCounted(one);
        }
        return session.value();
    }

    /**
     * What this site sends to all others once it knows the facts of all sites: the session's identifier, and proof that
     * it shares a key with each of them.
     */
    public synchronized Optional<byte[]> ownConfirmation() {
        if (id == null || secrets.areForgotten()) {
            return Optional.empty();
        }
        byte[] content = Arrays.copyOf(id, id.length + TAG_BYTES * facts.length);
        for (int other = 0; other < facts.length; other++) {
            if (other != self) {
                System.arraycopy(tag(self, other), 0, content, id.length + TAG_BYTES * other, TAG_BYTES);
            }
        }
        return Optional.of(signed(content, SESSION));
    }

    private byte[] tag(int from, int to) {
        byte[] info =
                ByteBuffer.allocate(2 * Integer.BYTES).putInt(from).putInt(to).array();
        return Arrays.copyOf(Sha256.expand(pairKeys[from == self ? to : from], "starling confirm 1", info), TAG_BYTES);
    }

    /**
     * Receives a site's confirmation, once all facts are known; returns false if that site has not signed it.
     *
     * @throws InvalidInputException if it is for another session or the site does not share a key
     */
    public synchronized boolean confirmation(int origin, byte[] body) {
        byte[] content = verified(origin, body, SESSION).orElse(null);
        if (content == null) {
            return false;
        }
        String name = members.get(origin).name();
        if (content.length != id.length + TAG_BYTES * facts.length
                || !MessageDigest.isEqual(Arrays.copyOf(content, id.length), id)) {
            throw new InvalidInputException(
                    "site " + name + " has received different facts about some site than this one: "
                            + "somebody sends different things to different sites");
        }
        int at = id.length + TAG_BYTES * self;
        if (!MessageDigest.isEqual(Arrays.copyOfRange(content, at, at + TAG_BYTES), tag(origin, self))) {
            throw new InvalidInputException(
                    "site " + name + " does not have the private key that belongs to its own facts");
        }
        confirmed[origin] = true;
        return true;
    }

    /** Whether this site has deleted its key, because the run is over. */
    public boolean isOver() {
        return secrets.areForgotten();
    }

    /** Whether the facts of all sites are known. */
    public synchronized boolean isKnown() {
        return id != null;
    }

    /** The other sites that have not confirmed yet. */
    public synchronized List<Integer> missing() {
        return IntStream.range(0, confirmed.length)
                .filter(site -> site != self && !confirmed[site])
                .boxed()
                .toList();
    }

    /** The session's identifier, once the facts of all sites are known. */
    public synchronized byte[] id() {
        return id.clone();
    }

    /** The facts of all sites, once they are known. */
    public synchronized SessionFacts known() {
        return new SessionFacts(self, List.of(encoded));
    }

    /** The masks of this site, once the facts of all sites are known. */
    synchronized Masks masks() {
        return masks;
    }

    /** Masks words in place, for one question only, once the facts of all sites are known. */
    public void mask(byte[] question, double[] words) {
        masks().apply(question, words);
    }

    @Override
    public byte[] seal(byte[] question, double[] words) {
        return Seals.ofAddend(Seals.salt(secrets.ledgerKey(), question), question, words);
    }

    @Override
    public void requireOwnSeal(boolean same) {
        if (!same) {
            throw new InvalidInputException(
                    "totals under another seal than this site's own: somebody between it and the"
                            + " root has altered what it sent");
        }
    }

    @Override
    public byte[] sign(long totals, byte[] history) {
        return signer.sign(SumWitness.CONTEXT, Told.digest(id(), totals, history));
    }

    @Override
    public void requireSigned(Told told) {
        if (!isSigned(told)) {
            throw new InvalidInputException("a total without the signature of site "
                    + members.get(ROOT).name() + ", the root, under it and all before it");
        }
    }

    private synchronized boolean isSigned(Told told) {
        return SiteSignature.isSignedBy(
                certificates[ROOT],
                SumWitness.CONTEXT,
                Told.digest(id, told.totals(), told.history()),
                told.signature());
    }

    /** Signs what this site was told, for the others to compare. */
    public byte[] testify(List<Told> latest) {
        return signed(Bytes.of(latest, Told::states), TESTIMONY);
    }

    /** Receives what a site says that it was told, in a dispute; returns false if the site has not signed it. */
    public boolean testimony(int origin, byte[] body) {
        return verified(origin, body, TESTIMONY).isPresent();
    }

    /** What a site says that it was told; nothing if that cannot be read. */
    private static List<Told> told(byte[] content) {
        try {
            return Bytes.read(content, List.of(), Told::states, "a testimony");
        } catch (InvalidInputException e) {
            return List.of();
        }
    }

    /**
     * Compares what sites have shown that they were told.
     *
     * @param testimonies what each site has signed about that, as far as it is known
     * @return two that were told different things, of which the root has signed both; empty if there are none
     */
    public List<Integer> toldDifferently(List<Optional<byte[]>> testimonies) {
        List<List<Told>> shown = testimonies.stream()
                .map(body -> body.stream()
                        .flatMap(bytes -> told(attestation(bytes).content).stream())
                        .filter(this::isSigned)
                        .toList())
                .toList();
        for (int one = 0; one < shown.size(); one++) {
            for (int other = 0; other < one; other++) {
                for (Told told : shown.get(one)) {
                    if (shown.get(other).stream().anyMatch(told::contradicts)) {
                        return List.of(other, one);
                    }
                }
            }
        }
        return List.of();
    }
}
