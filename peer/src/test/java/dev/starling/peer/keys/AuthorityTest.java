package dev.starling.peer.keys;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.peer.trust.CertificateNames;
import dev.starling.peer.trust.Credentials;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AuthorityTest {

    @TempDir
    private Path directory;

    private static Authority authority() {
        return Authority.create(Instant.now(), Duration.ofDays(2));
    }

    @Test
    void issuesCertificatesWithOnlyTheSitesNameThatCannotIssueOthers() throws Exception {
        Credentials site = authority()
                .issue("hospital-a", Instant.now(), Duration.ofDays(1))
                .credentials();
        assertThat(CertificateNames.of(site.certificate())).containsExactly("hospital-a");
        site.certificate().verify(site.authorities().get(0).getPublicKey());
        assertThat(site.certificate().getBasicConstraints()).isEqualTo(-1);
    }

    @Test
    void signsWithTheSameKeyAfterReloading() throws Exception {
        authority().save(directory);
        Credentials site = Authority.load(directory)
                .issue("b", Instant.now(), Duration.ofDays(1))
                .credentials();
        byte[] saved = Files.readAllBytes(directory.resolve(Authority.CERTIFICATE_FILE));
        Credentials.ofPem(saved, saved, Files.readAllBytes(directory.resolve(Authority.KEY_FILE)));
        site.certificate().verify(site.authorities().get(0).getPublicKey());
    }

    @Test
    void writesKeysThatOnlyTheirOwnerCanRead() throws Exception {
        Authority authority = authority();
        authority.save(directory);
        List<Path> files = Authority.save(authority.issue("a", Instant.now(), Duration.ofDays(1)), "a", directory);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(files.get(1))))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve(Authority.KEY_FILE))))
                .isEqualTo("rw-------");
    }

    @Test
    void neverReplacesAKey() throws Exception {
        authority().save(directory);
        assertThatRefused(() -> authority().save(directory)).hasMessageContaining("authority.key exists");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-r-----", "rw----r--", "rw--w----", "rwxrwxrwx"})
    void refusesAKeyWithOpenPermissions(String permissions) throws Exception {
        Path key = Files.writeString(directory.resolve("a.key"), "secret");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString(permissions));
        assertThatRefused(() -> OwnerOnly.read(key))
                .hasMessageContaining(permissions)
                .hasMessageContaining("chmod 600");
    }

    @ParameterizedTest
    @ValueSource(strings = {"r--------", "rw-------"})
    void readsAKeyWithPrivatePermissions(String permissions) throws Exception {
        Path key = Files.writeString(directory.resolve("a.key"), "secret");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString(permissions));
        assertThat(OwnerOnly.read(key)).asString().isEqualTo("secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "A", "a b", "-a", "a-", "*.example.org", "a.b"})
    void refusesNamesThatAreNotOneDnsLabel(String name) {
        assertThatRefused(() -> Authority.requireSiteName(name));
    }
}
