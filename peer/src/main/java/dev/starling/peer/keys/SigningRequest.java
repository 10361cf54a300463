package dev.starling.peer.keys;

import dev.starling.data.InvalidInputException;
import dev.starling.peer.trust.KeyPin;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x500.style.IETFUtils;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.PKCSException;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequest;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;

/**
 * What a site sends to an authority instead of a key: its name and public key, signed with the private key that never
 * leaves the site (PKCS #10).
 *
 * @param site the name that the certificate will carry
 * @param publicKey the key that the certificate will be for
 */
public record SigningRequest(String site, PublicKey publicKey) {

    private static final int LEAST_RSA_BITS = 2048;
    private static final int LEAST_EC_BITS = 256;

    /** Validates the name and the strength of the key. */
    public SigningRequest {
        Authority.requireSiteName(site);
        boolean strongRsa =
                publicKey instanceof RSAPublicKey rsa && rsa.getModulus().bitLength() >= LEAST_RSA_BITS;
        boolean strongCurve =
                publicKey instanceof ECPublicKey ec && ec.getParams().getOrder().bitLength() >= LEAST_EC_BITS;
        if (!strongRsa && !strongCurve) {
            throw new InvalidInputException("the key of site " + site + " is of type " + publicKey.getAlgorithm()
                    + " or too short; it must be on an elliptic curve of at least " + LEAST_EC_BITS
                    + " bits, or RSA of at least " + LEAST_RSA_BITS);
        }
    }

    /**
     * The fingerprint that people compare, over a different channel than the request took, to be sure that nobody
     * replaced it.
     */
    public KeyPin pin() {
        return KeyPin.of(publicKey);
    }

    /** Creates a site's request for its key, as PEM text. */
    public static byte[] create(String site, KeyPair keys) {
        Authority.requireSiteName(site);
        try {
            PKCS10CertificationRequest request = new JcaPKCS10CertificationRequestBuilder(
                            new X500Name("CN=" + site), keys.getPublic())
                    .build(new JcaContentSignerBuilder(Authority.signatureOf(keys.getPrivate()))
                            .build(keys.getPrivate()));
            return Pem.of("CERTIFICATE REQUEST", request.getEncoded());
        } catch (OperatorCreationException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Reads a request and checks that whoever made it has the private key.
     *
     * @throws InvalidInputException if it is not a request, was altered, or asks for a name that no site can have
     */
    public static SigningRequest read(byte[] pem, String what) {
        PKCS10CertificationRequest request = Pem.read(pem, PKCS10CertificationRequest.class, what);
        try {
            PublicKey key = new JcaPKCS10CertificationRequest(request).getPublicKey();
            if (!request.isSignatureValid(new JcaContentVerifierProviderBuilder().build(key))) {
                throw new InvalidInputException(
                        what + " is not signed with the key it is for; ask the site for it again");
            }
            return new SigningRequest(commonName(request.getSubject(), what), key);
        } catch (GeneralSecurityException | OperatorCreationException | PKCSException e) {
            throw new InvalidInputException(what + " is not a signing request: " + e.getMessage(), e);
        }
    }

    private static String commonName(X500Name subject, String what) {
        RDN[] names = subject.getRDNs(BCStyle.CN);
        if (names.length != 1 || names[0].isMultiValued()) {
            throw new InvalidInputException(what + " names " + names.length + " sites; it must be for exactly one");
        }
        return IETFUtils.valueToString(names[0].getFirst().getValue());
    }
}
