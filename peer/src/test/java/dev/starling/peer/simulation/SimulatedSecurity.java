package dev.starling.peer.simulation;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.SecureRandomSpi;
import java.security.Security;
import java.security.Signature;
import java.security.SignatureException;
import java.security.SignatureSpi;
import java.security.spec.AlgorithmParameterSpec;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import javax.crypto.KeyAgreement;
import javax.crypto.KeyAgreementSpi;
import javax.crypto.SecretKey;
import javax.crypto.ShortBufferException;

/**
 * In threads that simulate, random bytes come from a seed, and what elliptic curves have computed once is remembered:
 * thousands of runs with the same keys would otherwise do nothing else. In all other threads nothing is different, and
 * when no thread simulates the provider is gone.
 */
public final class SimulatedSecurity extends Provider {

    private static final long serialVersionUID = 1;

    /** A mutant's provider is another one. */
    private static final String NAME = "Simulated" + System.identityHashCode(SimulatedSecurity.class);

    private static final String ECDSA = "SHA256withECDSA";
    private static final String X25519 = "X25519";
    private static final int MOST_REMEMBERED = 100_000;
    private static final Map<ByteBuffer, Object> KNOWN = new ConcurrentHashMap<>();
    private static final ThreadLocal<SplittableRandom> SOURCE = new ThreadLocal<>();
    private static int simulating;

    /** Creates the provider. */
    public SimulatedSecurity() {
        super(NAME, "1", "random bytes from a seed, and a memory for elliptic curves");
        put("Signature." + ECDSA, RememberedSignature.class.getName());
        put("KeyAgreement." + X25519, RememberedAgreement.class.getName());
        put("SecureRandom.Simulated", SeededRandom.class.getName());
    }

    /** Makes this thread one that simulates. */
    static void enter(long seed) {
        synchronized (SimulatedSecurity.class) {
            if (SOURCE.get() == null && simulating++ == 0) {
                Security.insertProviderAt(new SimulatedSecurity(), 1);
            }
        }
        SOURCE.set(new SplittableRandom(seed));
    }

    /** Makes this thread an ordinary one again. */
    static void leave() {
        synchronized (SimulatedSecurity.class) {
            if (SOURCE.get() != null && --simulating == 0) {
                Security.removeProvider(NAME);
            }
        }
        SOURCE.remove();
    }

    private static byte[] key(Object... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (Object part : parts) {
            byte[] bytes = part instanceof Key key ? key.getEncoded() : (byte[]) part;
            all.writeBytes(
                    ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
            all.writeBytes(bytes);
        }
        return all.toByteArray();
    }

    /** A computation with keys, which may not fit. */
    @FunctionalInterface
    private interface Computation<T> {
        T value() throws GeneralSecurityException;
    }

    @SuppressWarnings("unchecked")
    private static <T> T remembered(Computation<T> computation, Object... parts) throws GeneralSecurityException {
        if (SOURCE.get() == null) {
            return computation.value();
        }
        ByteBuffer key = ByteBuffer.wrap(key(parts));
        Object known = KNOWN.get(key);
        if (known == null) {
            known = computation.value();
            if (KNOWN.size() > MOST_REMEMBERED) {
                KNOWN.clear();
            }
            KNOWN.put(key, known);
        }
        return (T) known;
    }

    /** Remembers which signatures are right, and signs the same bytes in the same way. */
    public static final class RememberedSignature extends SignatureSpi {
        private static final byte[] SIGNING = {1};
        private static final byte[] VERIFYING = {2};
        private final ByteArrayOutputStream message = new ByteArrayOutputStream();
        private PublicKey publicKey;
        private PrivateKey privateKey;

        private static Signature real() throws GeneralSecurityException {
            return Signature.getInstance(ECDSA, "SunEC");
        }

        @Override
        protected void engineInitVerify(PublicKey key) throws InvalidKeyException {
            if (!key.getAlgorithm().equals("EC")) {
                throw new InvalidKeyException("not an elliptic-curve key");
            }
            publicKey = key;
            message.reset();
        }

        @Override
        protected void engineInitSign(PrivateKey key) throws InvalidKeyException {
            if (!key.getAlgorithm().equals("EC")) {
                throw new InvalidKeyException("not an elliptic-curve key");
            }
            privateKey = key;
            message.reset();
        }

        @Override
        protected void engineUpdate(byte one) {
            message.write(one);
        }

        @Override
        protected void engineUpdate(byte[] bytes, int offset, int length) {
            message.write(bytes, offset, length);
        }

        private byte[] message() {
            byte[] bytes = message.toByteArray();
            message.reset();
            return bytes;
        }

        @Override
        protected byte[] engineSign() throws SignatureException {
            byte[] bytes = message();
            try {
                byte[] signature = remembered(
                        () -> {
                            Signature real = real();
                            real.initSign(privateKey);
                            real.update(bytes);
                            return real.sign();
                        },
                        SIGNING,
                        privateKey,
                        bytes);
                return signature.clone();
            } catch (GeneralSecurityException e) {
                throw new SignatureException(e);
            }
        }

        @Override
        protected boolean engineVerify(byte[] signature) throws SignatureException {
            byte[] bytes = message();
            try {
                return remembered(
                        () -> {
                            Signature real = real();
                            real.initVerify(publicKey);
                            real.update(bytes);
                            return real.verify(signature);
                        },
                        VERIFYING,
                        publicKey,
                        bytes,
                        signature);
            } catch (GeneralSecurityException e) {
                throw new SignatureException(e);
            }
        }

        @Override
        @Deprecated
        protected void engineSetParameter(String parameter, Object value) {
            throw new UnsupportedOperationException();
        }

        @Override
        protected void engineSetParameter(AlgorithmParameterSpec parameters) {
            if (parameters != null) {
                throw new UnsupportedOperationException();
            }
        }

        @Override
        @Deprecated
        protected Object engineGetParameter(String parameter) {
            throw new UnsupportedOperationException();
        }
    }

    /** Remembers the secrets that two keys make. */
    public static final class RememberedAgreement extends KeyAgreementSpi {
        private Key own;
        private byte[] secret;

        @Override
        protected void engineInit(Key key, SecureRandom random) {
            own = key;
        }

        @Override
        protected void engineInit(Key key, AlgorithmParameterSpec parameters, SecureRandom random) {
            own = key;
        }

        /** Refuses what the real one refuses, such as a point of small order. */
        @Override
        protected Key engineDoPhase(Key key, boolean last) throws InvalidKeyException {
            try {
                secret = remembered(
                        () -> {
                            KeyAgreement real = KeyAgreement.getInstance(X25519, "SunEC");
                            real.init(own);
                            real.doPhase(key, true);
                            return real.generateSecret();
                        },
                        own,
                        key);
                return null;
            } catch (GeneralSecurityException e) {
                throw new InvalidKeyException(e);
            }
        }

        @Override
        protected byte[] engineGenerateSecret() {
            return secret.clone();
        }

        @Override
        protected int engineGenerateSecret(byte[] secret, int offset) throws ShortBufferException {
            throw new ShortBufferException();
        }

        @Override
        protected SecretKey engineGenerateSecret(String algorithm) {
            throw new UnsupportedOperationException();
        }
    }

    /** Random bytes from the seed of a thread that simulates; real ones elsewhere. */
    public static final class SeededRandom extends SecureRandomSpi {
        private static final long serialVersionUID = 1;

        @Override
        protected void engineSetSeed(byte[] seed) {}

        @Override
        protected void engineNextBytes(byte[] bytes) {
            SplittableRandom source = SOURCE.get();
            if (source != null) {
                source.nextBytes(bytes);
                return;
            }
            try {
                SecureRandom.getInstance("DRBG", "SUN").nextBytes(bytes);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        protected byte[] engineGenerateSeed(int count) {
            byte[] seed = new byte[count];
            engineNextBytes(seed);
            return seed;
        }
    }
}
