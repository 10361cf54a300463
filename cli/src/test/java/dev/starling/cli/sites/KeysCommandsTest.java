package dev.starling.cli.sites;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.cli.Cli;
import dev.starling.peer.keys.Authority;
import dev.starling.peer.keys.SigningRequest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ada has the authority, Ben makes his own key: what goes to and fro is nothing secret. */
class KeysCommandsTest {

    private static final Pattern KEY = Pattern.compile("key ([0-9a-f]{64})");

    @TempDir
    private Path ada;

    @TempDir
    private Path ben;

    @BeforeEach
    void setUp() {
        Cli.ok("keys", "init", "--dir", ada);
    }

    private static String key(Cli printed) {
        Matcher matcher = KEY.matcher(printed.out());
        assertThat(matcher.find()).as(printed.out() + printed.err()).isTrue();
        return matcher.group(1);
    }

    /** Ben's request, carried to Ada; what both see of the key. */
    private String sign() throws IOException {
        Cli requested = Cli.run("keys", "request", "b", "--dir", ben);
        Path request = Files.copy(
                ben.resolve("b.csr"), Files.createTempDirectory(ada, "mail").resolve("b.csr"));
        Cli signed = Cli.ok("keys", "sign", request, "--dir", ada);
        assertThat(key(signed)).isEqualTo(key(requested));
        return key(signed);
    }

    @Test
    void signsARequestWithoutSeeingTheKey() throws Exception {
        String key = sign();
        assertThat(ada.resolve("b.key")).doesNotExist();
        assertThat(Cli.run("keys", "show", ada.resolve("b.pem")).out()).startsWith("keys:\n  b: " + key + " # until 2");
        assertThat(sign()).as("renewed").isEqualTo(key);
    }

    @Test
    void pinsTheKeysOfAllSitesWhoseCertificatesExist() throws Exception {
        Path folder = ada.resolve("network");
        assertThat(Cli.run("network", "new", "--sites a,b --dir", folder).err())
                .contains("no public keys are pinned", "a.pem does not exist");
        String key = sign();
        Files.createDirectories(ben.resolve("keys"));
        Files.copy(ada.resolve("b.pem"), ben.resolve("keys").resolve("b.pem"));
        Cli pinned = Cli.run("network", "new", "--sites b --dir", ben);
        assertThat(pinned.err()).isEmpty();
        assertThat(ben.resolve("b.yaml")).content().contains("\nkeys:\n  b: " + key + "\n");
    }

    @Test
    void addsToTheListOfRevokedCertificates() throws Exception {
        sign();
        Cli.ok("keys", "revoke", ada.resolve("b.pem"), "--dir", ada);
        X509CRL before = revoked();
        Cli.ok("keys", "revoke", "--dir", ada, "--days 30");
        X509CRL after = revoked();

        assertThat(before.getRevokedCertificates()).hasSize(1);
        assertThat(Set.copyOf(after.getRevokedCertificates())).isEqualTo(Set.copyOf(before.getRevokedCertificates()));
        assertThat(after.getNextUpdate()).isBefore(before.getNextUpdate());
    }

    private X509CRL revoked() throws Exception {
        try (InputStream in = Files.newInputStream(ada.resolve("revoked.pem"))) {
            return (X509CRL) CertificateFactory.getInstance("X.509").generateCRL(in);
        }
    }

    @Test
    void encryptsTheKeyWithThePasswordInAFile() throws Exception {
        Path password = Files.writeString(ben.resolve("password"), "secret\n");
        Files.setPosixFilePermissions(password, PosixFilePermissions.fromString("rw-------"));
        Cli made = Cli.run("keys", "request", "b", "--dir", ben, "--password-file", password);
        assertThat(ben.resolve("b.key")).content().contains("ENCRYPTED PRIVATE KEY");
        Cli again = Cli.run("keys", "request", "b", "--dir", ben, "--password-file", password);
        assertThat(key(again)).isEqualTo(key(made));
        Cli asked = Cli.ended(2, "keys", "request", "b", "--dir", ben);
        assertThat(asked.err()).contains("needs a password, and there is no terminal");
    }

    @Test
    void doesNotSignForANameThatAnotherKeyHas() throws Exception {
        sign();
        Path forged = ada.resolve("forged.csr");
        Files.write(forged, SigningRequest.create("b", Authority.newKeys()));
        Cli refused = Cli.ended(2, "keys", "sign", forged, "--dir", ada);
        assertThat(refused.err()).contains("revoke the old certificate");
    }
}
