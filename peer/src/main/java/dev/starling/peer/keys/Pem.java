package dev.starling.peer.keys;

import dev.starling.data.InvalidInputException;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;

/** Certificates, keys, signing requests and revocation lists as PEM text. */
final class Pem {

    private Pem() {}

    static byte[] of(X509Certificate certificate) {
        try {
            return of("CERTIFICATE", certificate.getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    static byte[] of(String type, byte[] content) {
        StringWriter text = new StringWriter();
        try (PemWriter writer = new PemWriter(text)) {
            writer.writeObject(new PemObject(type, content));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    /** Parses the first object in PEM text, which must be of a given BouncyCastle type. */
    static <T> T read(byte[] pem, Class<T> type, String what) {
        try (PEMParser parser = new PEMParser(new StringReader(new String(pem, StandardCharsets.US_ASCII)))) {
            Object found = parser.readObject();
            if (type.isInstance(found)) {
                return type.cast(found);
            }
        } catch (IOException e) {
            throw new InvalidInputException(what + " is damaged: " + e.getMessage(), e);
        }
        throw new InvalidInputException(what + " does not hold the expected PEM object");
    }
}
