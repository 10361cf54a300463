package dev.starling.peer.sums;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.keys.Fingerprint;
import dev.starling.peer.keys.OwnerOnly;
import dev.starling.peer.trust.Sha256;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.SecureRandom;
import java.security.spec.NamedParameterSpec;
import java.security.spec.XECPrivateKeySpec;
import java.security.spec.XECPublicKeySpec;
import java.util.Arrays;
import java.util.Map;
import javax.crypto.KeyAgreement;

/**
 * What only this site knows about a run: the private key from which masks are derived, a nonce, the salt of the
 * commitment to its rows, and the key of its ledger. They are on disk before anything is sent, never in a checkpoint
 * and never regenerated within a run; the private key is deleted once all sites have finished.
 */
public final class SessionSecrets {

    private static final String CURVE = "X25519";
    private static final int BYTES = 32;
    private static final int PARTS = 5;

    private final byte[] privateKey;
    private final byte[] publicKey;
    private final byte[] nonce;
    private final byte[] salt;
    private final byte[] ledgerKey;

    private SessionSecrets(byte[] all) {
        this.privateKey = Arrays.copyOfRange(all, 0, BYTES);
        this.publicKey = Arrays.copyOfRange(all, BYTES, 2 * BYTES);
        this.nonce = Arrays.copyOfRange(all, 2 * BYTES, 3 * BYTES);
        this.salt = Arrays.copyOfRange(all, 3 * BYTES, 4 * BYTES);
        this.ledgerKey = Arrays.copyOfRange(all, 4 * BYTES, PARTS * BYTES);
    }

    /** Creates secrets with a given private key; for tests. */
    static SessionSecrets of(byte[] privateKey) {
        return new SessionSecrets(withPublicKey(Arrays.copyOf(privateKey, PARTS * BYTES)));
    }

    /** Generates new secrets. */
    static SessionSecrets random() {
        return new SessionSecrets(generated());
    }

    private static byte[] generated() {
        byte[] all = new byte[PARTS * BYTES];
        new SecureRandom().nextBytes(all);
        return withPublicKey(all);
    }

    private static byte[] withPublicKey(byte[] all) {
        System.arraycopy(agree(Arrays.copyOf(all, BYTES), basePoint()), 0, all, BYTES, BYTES);
        return all;
    }

    /**
     * Returns the secrets of a run: those in its file, or new ones, which are on disk when this returns.
     *
     * @throws IOException if they cannot be written, or the existing file cannot be read
     */
    public static SessionSecrets open(Path file) throws IOException {
        if (!Files.exists(file)) {
            OwnerOnly.replace(file, generated());
        }
        byte[] all = Files.readAllBytes(file);
        if (all.length != PARTS * BYTES) {
            throw new InvalidInputException(file + " holds " + all.length + " bytes, not the " + PARTS * BYTES
                    + " of a run's secrets; start a new run under another name at all sites");
        }
        return new SessionSecrets(all);
    }

    /** The public key with which others derive masks. */
    byte[] publicKey() {
        return publicKey.clone();
    }

    /** Erases the private key from a run's file, once all sites have finished and masks are no longer needed. */
    public static void forget(Path file) throws IOException {
        byte[] all = Files.readAllBytes(file);
        Arrays.fill(all, 0, BYTES, (byte) 0);
        OwnerOnly.replace(file, all);
    }

    /** Whether the private key was erased. */
    public boolean areForgotten() {
        return Arrays.equals(privateKey, new byte[BYTES]);
    }

    /** The private key, to be shown to an auditor; zeros if it was erased. */
    public byte[] privateKey() {
        return privateKey.clone();
    }

    byte[] nonce() {
        return nonce.clone();
    }

    /** The key with which the ledger computes digests of what was sent. */
    public byte[] ledgerKey() {
        return ledgerKey.clone();
    }

    /** A commitment to digests of the site's rows, which reveals nothing about them. */
    byte[] commitment(byte[] fingerprint, byte[] cells) {
        return Sha256.plain().put(salt).put(fingerprint).put(cells).value();
    }

    /**
     * The facts that a site states about itself in a run.
     *
     * @param network the description of the network, on which all sites must agree
     * @param settings the description of all settings and columns
     * @param rows the rows to train on
     * @param cells a digest of everything else that an addend may depend on: rows held out, and who is in which fold
     */
    public SiteFacts facts(
            String run,
            String network,
            String settings,
            int site,
            Dataset rows,
            byte[] cells,
            Map<String, Double> limits) {
        double weight = 0;
        for (int i = 0; i < rows.rows(); i++) {
            weight += rows.weight(i);
        }
        return new SiteFacts(
                run,
                Sha256.plain().put(network.getBytes(StandardCharsets.UTF_8)).value(),
                Sha256.plain().put(settings.getBytes(StandardCharsets.UTF_8)).value(),
                site,
                publicKey(),
                nonce(),
                rows.rows(),
                weight,
                limits,
                commitment(Fingerprint.binding(rows), cells));
    }

    /**
     * Derives the secret that this site shares with another one in a session.
     *
     * @throws InvalidInputException if no secret can be derived from the other site's key
     */
    byte[] pairKey(byte[] session, byte[] otherPublicKey) {
        byte[] secret = agree(privateKey, otherPublicKey);
        if (Arrays.equals(secret, new byte[BYTES])) {
            throw new InvalidInputException("a session key has small order");
        }
        return Sha256.mac(session, secret);
    }

    private static byte[] basePoint() {
        byte[] point = new byte[BYTES];
        point[0] = 9;
        return point;
    }

    private static byte[] agree(byte[] privateKey, byte[] publicKey) {
        try {
            KeyFactory keys = KeyFactory.getInstance(CURVE);
            KeyAgreement agreement = KeyAgreement.getInstance(CURVE);
            agreement.init(keys.generatePrivate(new XECPrivateKeySpec(NamedParameterSpec.X25519, privateKey)));
            byte[] reversed = new byte[BYTES];
            for (int k = 0; k < BYTES; k++) {
                reversed[k] = publicKey[BYTES - 1 - k];
            }
            reversed[0] &= 0x7F;
            agreement.doPhase(
                    keys.generatePublic(new XECPublicKeySpec(NamedParameterSpec.X25519, new BigInteger(1, reversed))),
                    true);
            return agreement.generateSecret();
        } catch (GeneralSecurityException e) {
            throw new InvalidInputException("a session key cannot be used: " + e.getMessage(), e);
        }
    }

    /** Never shows a secret. */
    @Override
    public String toString() {
        return "SessionSecrets";
    }
}
