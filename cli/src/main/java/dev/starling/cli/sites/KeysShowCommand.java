package dev.starling.cli.sites;

import dev.starling.cli.Main;
import dev.starling.cli.console.ConsoleCommand;
import dev.starling.peer.keys.Authority;
import dev.starling.peer.trust.CertificateNames;
import dev.starling.peer.trust.Credentials;
import dev.starling.peer.trust.KeyPin;
import dev.starling.peer.trust.Printable;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints the public keys of sites in the format of their files. */
@Command(
        name = "show",
        description = "Prints the name, the public key and the expiry date of each certificate, as lines for 'keys' in"
                + " the sites' files.")
final class KeysShowCommand extends ConsoleCommand {

    @Parameters(arity = "1..*", paramLabel = "FILE", description = "Certificates.")
    private List<Path> files;

    @Override
    public Integer call() {
        PrintWriter out = out();
        out.println("keys:");
        for (Path file : files) {
            X509Certificate certificate = Credentials.certificates(Authority.readPublic(file), file.toString())
                    .get(0);
            String name = String.join(" ", CertificateNames.of(certificate));
            out.println("  " + Printable.of(name) + ": " + KeyPin.of(certificate) + " # until "
                    + certificate.getNotAfter().toInstant());
        }
        return Main.DONE;
    }
}
