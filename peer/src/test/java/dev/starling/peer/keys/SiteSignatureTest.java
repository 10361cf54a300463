package dev.starling.peer.keys;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.peer.trust.Credentials;
import dev.starling.peer.trust.KeyPin;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SiteSignatureTest {

    private static final Instant NOW = Instant.now();
    private static final Duration DAY = Duration.ofDays(1);
    private static final Authority AUTHORITY = Authority.create(NOW.minus(Duration.ofDays(30)), Duration.ofDays(60));
    private static final String CONTEXT = "Starling test 1";
    private static final byte[] DIGEST = new byte[32];

    private final SiteSignature here = signer("here");

    private static Credentials credentials(String site, Instant from, KeyPair keys) {
        byte[] authority = AUTHORITY.issue("any", NOW, DAY).authority();
        byte[] request = SigningRequest.create(site, keys);
        byte[] certificate = AUTHORITY.sign(SigningRequest.read(request, "the request"), from, DAY);
        return Credentials.ofPem(authority, certificate, KeyFiles.pem(keys.getPrivate(), Optional.empty()));
    }

    private static SiteSignature signer(String site) {
        return new SiteSignature(credentials(site, NOW, Authority.newKeys()));
    }

    private static Optional<KeyPin> pin(SiteSignature site) {
        return Optional.of(KeyPin.of(site.credentials().certificate()));
    }

    /** What is sent, and believed or not. */
    private void verify(SiteSignature sender, byte[] signature, Optional<KeyPin> pin) {
        here.verify(CONTEXT, DIGEST, signature, SiteSignature.chain(sender.chain()), pin, "a");
    }

    @ParameterizedTest
    @ValueSource(strings = {"EC", "RSA"})
    void acceptsASignatureByThePinnedKey(String algorithm) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
        generator.initialize(algorithm.equals("EC") ? 384 : 2048);
        SiteSignature a = new SiteSignature(credentials("a", NOW, generator.generateKeyPair()));
        assertThatCode(() -> verify(a, a.sign(CONTEXT, DIGEST), pin(a))).doesNotThrowAnyException();
    }

    /** Anybody can check it: the bytes are those of the protocol, signed as the algorithm's name says. */
    @Test
    void signsSixtyFourBlanksTheContextAZeroAndTheDigest() throws Exception {
        SiteSignature a = signer("a");
        Signature verifier = Signature.getInstance("SHA256withECDSA");
        verifier.initVerify(a.credentials().certificate());
        verifier.update(" ".repeat(64).getBytes(StandardCharsets.US_ASCII));
        verifier.update("Starling test 1\0".getBytes(StandardCharsets.US_ASCII));
        verifier.update(DIGEST);
        assertThat(verifier.verify(a.sign(CONTEXT, DIGEST))).isTrue();
    }

    @Test
    void refusesAnotherDigestAnotherContextAndAnAlteredSignature() {
        SiteSignature a = signer("a");
        byte[] altered = a.sign(CONTEXT, DIGEST);
        altered[altered.length - 1] ^= 1;
        byte[] other = DIGEST.clone();
        other[31] = 1;
        for (byte[] signature :
                List.of(altered, a.sign(CONTEXT, other), a.sign("Starling test 2", DIGEST), new byte[0])) {
            assertThatRefused(() -> verify(a, signature, pin(a))).hasMessageContaining("signature does not match");
        }
    }

    @Test
    void refusesAnotherSitesSignature() {
        SiteSignature b = signer("b");
        assertThatThrownBy(() -> verify(b, b.sign(CONTEXT, DIGEST), Optional.empty()))
                .hasMessageContaining("carries the name b, not the name a");
    }

    /** Whoever has the authority's key can make a certificate for the name, but not one for the key. */
    @Test
    void refusesACertificateForTheRightNameButAnotherKey() {
        SiteSignature forged = signer("a");
        byte[] signature = forged.sign(CONTEXT, DIGEST);
        assertThatCode(() -> verify(forged, signature, Optional.empty())).doesNotThrowAnyException();
        assertThatThrownBy(() -> verify(forged, signature, pin(signer("a"))))
                .hasMessageContaining("is pinned")
                .hasMessageContaining(pin(forged).get().sha256());
    }

    @Test
    void acceptsARenewedCertificateOfTheSameKey() {
        KeyPair keys = Authority.newKeys();
        SiteSignature before = new SiteSignature(credentials("a", NOW.minus(Duration.ofHours(3)), keys));
        SiteSignature after = new SiteSignature(credentials("a", NOW, keys));
        assertThatCode(() -> verify(after, after.sign(CONTEXT, DIGEST), pin(before)))
                .doesNotThrowAnyException();
    }

    @Test
    void saysThatACertificateHasExpiredOrIsNotValidYet() {
        SiteSignature old = new SiteSignature(credentials("a", NOW.minus(Duration.ofDays(9)), Authority.newKeys()));
        assertThatThrownBy(() -> verify(old, old.sign(CONTEXT, DIGEST), pin(old)))
                .hasMessageContaining("expired at")
                .hasMessageContaining("the clock here says");
        SiteSignature early = new SiteSignature(credentials("a", NOW.plus(Duration.ofDays(2)), Authority.newKeys()));
        assertThatThrownBy(() -> verify(early, early.sign(CONTEXT, DIGEST), pin(early)))
                .hasMessageContaining("is not valid before");
    }

    @Test
    void refusesOnlyTheRevokedCertificate() throws Exception {
        SiteSignature a = signer("a");
        SiteSignature b = signer("a");
        byte[] first =
                AUTHORITY.revoke(Optional.empty(), List.of(a.credentials().certificate()), NOW, DAY);
        byte[] second = AUTHORITY.revoke(Optional.of(first), List.of(), NOW, DAY);
        for (byte[] list : List.of(first, second)) {
            SiteSignature warned = believing(list);
            assertThatThrownBy(() -> warned.verify(
                            CONTEXT,
                            DIGEST,
                            a.sign(CONTEXT, DIGEST),
                            a.credentials().chain(),
                            pin(a),
                            "a"))
                    .hasMessageContaining("was revoked at");
            warned.verify(
                    CONTEXT, DIGEST, b.sign(CONTEXT, DIGEST), b.credentials().chain(), pin(b), "a");
        }
    }

    @Test
    void refusesEveryoneWhenTheRevocationListIsTooOld() throws Exception {
        SiteSignature a = signer("a");
        SiteSignature warned =
                believing(AUTHORITY.revoke(Optional.empty(), List.of(), NOW.minus(Duration.ofDays(2)), DAY));
        assertThatThrownBy(() -> warned.verify(
                        CONTEXT,
                        DIGEST,
                        a.sign(CONTEXT, DIGEST),
                        a.credentials().chain(),
                        pin(a),
                        "a"))
                .hasMessageContaining("was due to be replaced by");
    }

    @Test
    void refusesARevocationListSignedBySomeoneElse() {
        Authority other = Authority.create(NOW, DAY);
        assertThatRefused(() -> believing(other.revoke(Optional.empty(), List.of(), NOW, DAY)))
                .hasMessageContaining("not signed by an authority");
    }

    private SiteSignature believing(byte[] list) throws Exception {
        X509CRL parsed = (X509CRL) CertificateFactory.getInstance("X.509").generateCRL(new ByteArrayInputStream(list));
        Credentials own = here.credentials();
        return new SiteSignature(new Credentials(own.authorities(), own.chain(), own.key(), List.of(parsed)));
    }

    @Test
    void refusesACertificateOfAnotherAuthorityThatHasTheSameName() {
        Authority other = Authority.create(NOW, DAY);
        SiteSignature a = new SiteSignature(other.issue("a", NOW, DAY).credentials());
        assertThatThrownBy(() -> verify(a, a.sign(CONTEXT, DIGEST), Optional.empty()))
                .hasMessageContaining("not signed by an authority");
    }

    /** A site's certificate is not an authority: what it signs is nobody's. */
    @Test
    void refusesACertificateThatASiteIssued() throws Exception {
        SiteSignature a = signer("a");
        Authority site = Authority.create(NOW, DAY);
        Credentials issued = site.issue("a", NOW, DAY).credentials();
        Credentials chained = new Credentials(
                a.credentials().authorities(),
                List.of(issued.certificate(), a.credentials().certificate()),
                issued.key());
        SiteSignature forged = new SiteSignature(chained);
        assertThatThrownBy(() -> verify(forged, forged.sign(CONTEXT, DIGEST), Optional.empty()))
                .hasMessageContaining("not signed by an authority");
    }

    @Test
    void refusesAChainThatIsTooLong() {
        assertThatRefused(() -> SiteSignature.chain(new byte[SiteSignature.LONGEST_CHAIN_BYTES + 1]));
        assertThatRefused(() -> SiteSignature.chain(new byte[100]));
        SiteSignature a = signer("a");
        List<java.security.cert.X509Certificate> many = IntStream.range(0, 7)
                .mapToObj(k -> a.credentials().certificate())
                .toList();
        assertThatThrownBy(() -> here.verify(CONTEXT, DIGEST, a.sign(CONTEXT, DIGEST), many, pin(a), "a"))
                .hasMessageContaining("a chain of 7 certificates");
    }
}
