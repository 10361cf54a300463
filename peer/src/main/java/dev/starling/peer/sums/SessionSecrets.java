package dev.starling.peer.sums;

import dev.starling.data.Dataset;
import dev.starling.data.Fingerprint;
import dev.starling.data.InvalidInputException;
import dev.starling.peer.keys.OwnerOnly;
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
 * What only this site knows of a run: a key to agree on masks with, a nonce, and the salt of what it says about its
 * rows. On disk before anything is told, never in a checkpoint, never made anew within a run, and gone when all have
 * finished.
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

    /** Secrets of a given private key; for tests. */
    static SessionSecrets of(byte[] privateKey) {
        return new SessionSecrets(withPublicKey(Arrays.copyOf(privateKey, PARTS * BYTES)));
    }

    /** New secrets. */
    static SessionSecrets random() {
        return new SessionSecrets(drawn());
    }

    private static byte[] drawn() {
        byte[] all = new byte[PARTS * BYTES];
        new SecureRandom().nextBytes(all);
        return withPublicKey(all);
    }

    private static byte[] withPublicKey(byte[] all) {
        System.arraycopy(agree(Arrays.copyOf(all, BYTES), basePoint()), 0, all, BYTES, BYTES);
        return all;
    }

    /**
     * Those of a run: from its file, or new ones that are on disk when this returns.
     *
     * @throws IOException if they cannot be written, or what is there cannot be read
     */
    public static SessionSecrets open(Path file) throws IOException {
        if (!Files.exists(file)) {
            OwnerOnly.replace(file, drawn());
        }
        byte[] all = Files.readAllBytes(file);
        if (all.length != PARTS * BYTES) {
            throw new InvalidInputException(file + " holds " + all.length + " bytes, not the " + PARTS * BYTES
                    + " of a run's secrets; start a new run under another name at all sites");
        }
        return new SessionSecrets(all);
    }

    /** The public key that others agree on masks with. */
    byte[] publicKey() {
        return publicKey.clone();
    }

    /** Takes the private key out of a run's file: all sites have finished, and masks are needed no more. */
    public static void forget(Path file) throws IOException {
        byte[] all = Files.readAllBytes(file);
        Arrays.fill(all, 0, BYTES, (byte) 0);
        OwnerOnly.replace(file, all);
    }

    /** Whether the private key is gone. */
    public boolean areForgotten() {
        return Arrays.equals(privateKey, new byte[BYTES]);
    }

    byte[] nonce() {
        return nonce.clone();
    }

    /** The key under which the ledger keeps what was sent. */
    public byte[] ledgerKey() {
        return ledgerKey.clone();
    }

    /** A commitment to a digest of the site's rows, which tells nothing about them. */
    byte[] commitment(byte[] fingerprint) {
        return Sha256.plain().put(salt).put(fingerprint).value();
    }

    /**
     * What a site says of itself in a run.
     *
     * @param network what all sites must agree on of the network
     * @param settings all settings and columns
     */
    public SiteFacts facts(
            String program,
            String run,
            String network,
            String settings,
            int site,
            Dataset rows,
            Map<String, Double> limits) {
        double weight = 0;
        for (int i = 0; i < rows.rows(); i++) {
            weight += rows.weight(i);
        }
        return new SiteFacts(
                program,
                run,
                Sha256.plain().put(network.getBytes(StandardCharsets.UTF_8)).value(),
                Sha256.plain().put(settings.getBytes(StandardCharsets.UTF_8)).value(),
                site,
                publicKey(),
                nonce(),
                rows.rows(),
                weight,
                limits,
                commitment(Fingerprint.binding(rows)));
    }

    /**
     * What this site shares with another, in a session.
     *
     * @throws InvalidInputException if the other's key is one that gives no secret
     */
    byte[] pairKey(byte[] session, byte[] otherPublicKey) {
        byte[] secret = agree(privateKey, otherPublicKey);
        if (Arrays.equals(secret, new byte[BYTES])) {
            throw new InvalidInputException("a session key of small order");
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
            throw new InvalidInputException("a session key that cannot be used: " + e.getMessage(), e);
        }
    }

    /** Never shows a secret. */
    @Override
    public String toString() {
        return "SessionSecrets";
    }
}
