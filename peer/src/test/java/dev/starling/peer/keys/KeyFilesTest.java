package dev.starling.peer.keys;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.peer.trust.Credentials;
import dev.starling.peer.trust.KeyPin;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeyFilesTest {

    private static final Duration DAY = Duration.ofDays(1);
    private static final Authority AUTHORITY = Authority.create(Instant.now(), DAY);

    @TempDir
    private Path directory;

    private Password password;

    @BeforeEach
    void setUp() throws Exception {
        AUTHORITY.save(directory);
        Path file = Files.writeString(directory.resolve("password"), "geheim, lang\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        password = Password.inFile(file);
    }

    /** A site that made its own key and had it signed. */
    private KeyFiles requested(Optional<Password> encryptedWith) throws Exception {
        OwnKey key = OwnKey.in(directory, "a", encryptedWith);
        SigningRequest request = SigningRequest.read(SigningRequest.create("a", key.pair()), "a.csr");
        Authority.saveCertificate(AUTHORITY.sign(request, Instant.now(), DAY), request, directory);
        return new KeyFiles(
                directory.resolve(Authority.CERTIFICATE_FILE),
                directory.resolve("a.pem"),
                directory.resolve("a.key"),
                encryptedWith,
                Optional.empty());
    }

    @Test
    void needsOnlyARequestFromTheSite() throws Exception {
        KeyFiles files = requested(Optional.empty());
        Credentials site = files.load();
        site.trust().require(site.chain(), Instant.now());
        assertThat(new SiteSignature(site).sign("x", new byte[32])).isNotEmpty();
        assertThat(files.needsPassword()).isFalse();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(files.key())))
                .isEqualTo("rw-------");
    }

    @Test
    void renewsTheCertificateOfAnExistingKey() throws Exception {
        KeyPin before = KeyPin.of(requested(Optional.of(password)).load().certificate());
        assertThat(KeyPin.of(requested(Optional.of(password)).load().certificate()))
                .isEqualTo(before);
    }

    @Test
    void doesNotReplaceTheCertificateOfAnotherKey() throws Exception {
        requested(Optional.empty());
        SigningRequest other = SigningRequest.read(SigningRequest.create("a", Authority.newKeys()), "a.csr");
        assertThatRefused(() -> Authority.saveCertificate(new byte[0], other, directory))
                .hasMessageContaining("revoke the old certificate");
    }

    @Test
    void refusesARequestThatWasAltered() {
        byte[] pem = SigningRequest.create("a", Authority.newKeys());
        byte[] other = SigningRequest.create("b", Authority.newKeys());
        // Another byte in the middle of the key.
        pem[120] = pem[120] == 'A' ? (byte) 'B' : (byte) 'A';
        assertThatRefused(() -> SigningRequest.read(pem, "a.csr"));
        assertThatRefused(() -> SigningRequest.read(new byte[] {1, 2}, "a.csr"))
                .hasMessage("a.csr does not hold the expected PEM object");
        assertThat(SigningRequest.read(other, "b.csr").site()).isEqualTo("b");
    }

    @Test
    void opensAnEncryptedKeyWithItsPasswordOnly() throws Exception {
        KeyFiles files = requested(Optional.of(password));
        assertThat(Files.readString(files.key())).contains("BEGIN ENCRYPTED PRIVATE KEY");
        assertThat(files.load().key().getAlgorithm()).isEqualTo("EC");
        KeyFiles closed =
                new KeyFiles(files.authority(), files.certificate(), files.key(), Optional.empty(), Optional.empty());
        assertThat(closed.needsPassword()).isTrue();
        assertThatRefused(closed::load).hasMessageContaining("is encrypted");
        assertThatRefused(() ->
                        closed.with(Password.typed("falsch".toCharArray())).load())
                .hasMessageContaining("is its password right?");
    }

    @Test
    void readsKeyAndCertificateFromAStore() throws Exception {
        Credentials site = requested(Optional.empty()).load();
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        char[] characters = password.characters();
        store.setKeyEntry("a", site.key(), characters, site.chain().toArray(new Certificate[0]));
        Path file = directory.resolve("a.p12");
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, characters);
        }
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        KeyFiles files = new KeyFiles(
                directory.resolve(Authority.CERTIFICATE_FILE), file, file, Optional.of(password), Optional.empty());
        assertThat(files.load().chain()).isEqualTo(site.chain());
        assertThat(files.load().key()).isEqualTo(site.key());
        assertThatRefused(
                        () -> files.with(Password.typed("falsch".toCharArray())).load())
                .hasMessageContaining("is its password right?");
    }

    @Test
    void refusesAPasswordFileThatOthersCanRead() throws Exception {
        Path file = Files.writeString(directory.resolve("open"), "x");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatRefused(() -> Password.inFile(file).characters()).hasMessageContaining("has permissions rw-r--r--");
        assertThat(password.toString()).doesNotContain("geheim");
    }

    @Test
    void reloadsChangedFilesUnlessTheyAreForAnotherKeyOrDamaged() throws Exception {
        KeyFiles files = requested(Optional.empty());
        List<String> complaints = new ArrayList<>();
        List<Credentials> renewals = new ArrayList<>();
        AtomicLong clock = new AtomicLong();
        FreshCredentials fresh = new FreshCredentials(files, renewals::add, complaints::add, clock::get);
        Credentials first = fresh.get();

        requested(Optional.empty());
        changed(files, 1);
        assertThat(fresh.get()).as("within the same second").isSameAs(first);
        clock.addAndGet(TimeUnit.SECONDS.toNanos(2));
        Credentials second = fresh.get();
        assertThat(second.certificate()).isNotEqualTo(first.certificate());
        assertThat(renewals).containsExactly(second);

        byte[] good = Files.readAllBytes(files.certificate());
        Files.write(
                files.certificate(), AUTHORITY.issue("a", Instant.now(), DAY).certificate());
        changed(files, 2);
        clock.addAndGet(TimeUnit.SECONDS.toNanos(2));
        assertThat(fresh.get()).isSameAs(second);
        assertThat(complaints).singleElement().asString().contains("is now for a public key other than");

        Files.writeString(files.certificate(), "half a cert");
        changed(files, 3);
        clock.addAndGet(TimeUnit.SECONDS.toNanos(2));
        assertThat(fresh.get()).isSameAs(second);
        assertThat(complaints).hasSize(2);

        Files.write(files.certificate(), good);
        changed(files, 4);
        clock.addAndGet(TimeUnit.SECONDS.toNanos(2));
        assertThat(fresh.get().certificate()).isEqualTo(second.certificate());
    }

    private static void changed(KeyFiles files, int times) throws Exception {
        Files.setLastModifiedTime(
                files.certificate(), FileTime.from(Instant.now().plusSeconds(10L * times)));
    }
}
