package dev.starling.cli.sites;

import dev.starling.cli.Main;
import dev.starling.cli.console.ConsoleCommand;
import dev.starling.data.text.AtomicFiles;
import dev.starling.peer.keys.Authority;
import dev.starling.peer.trust.Credentials;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Revokes certificates. */
@Command(
        name = "revoke",
        description = {
            "Adds certificates to the list of revoked ones (revoked.pem), which every site should have.",
            "When its list is replaced, a site uses the new one from the next connection on."
        })
final class KeysRevokeCommand extends ConsoleCommand {

    @Parameters(
            arity = "0..*",
            paramLabel = "FILE",
            description = "Certificates to revoke; without any, only the date of the list is renewed.")
    private List<Path> files;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            defaultValue = "keys",
            description = "Directory of the authority, where the list is written too (default: ${DEFAULT-VALUE}).")
    private Path directory;

    @Option(
            names = "--days",
            paramLabel = "N",
            defaultValue = "3650",
            description = "Days after which a site without a newer list trusts nobody (default: ${DEFAULT-VALUE}).")
    private int days;

    @Override
    public Integer call() {
        Authority authority = Authority.load(directory);
        Path list = directory.resolve(Authority.REVOKED_FILE);
        Optional<byte[]> before = Files.exists(list) ? Optional.of(Authority.readPublic(list)) : Optional.empty();
        List<Path> named = files == null ? List.of() : files;
        List<X509Certificate> certificates = named.stream()
                .map(file -> Credentials.certificates(Authority.readPublic(file), file.toString())
                        .get(0))
                .toList();
        byte[] pem = authority.revoke(before, certificates, Instant.now(), IssueOptions.validity(days));
        AtomicFiles.write(list, stream -> stream.write(pem));
        out().println(list);
        return Main.DONE;
    }
}
