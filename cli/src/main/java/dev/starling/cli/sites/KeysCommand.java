package dev.starling.cli.sites;

import dev.starling.cli.Main;
import dev.starling.data.InvalidInputException;
import dev.starling.data.text.AtomicFiles;
import dev.starling.peer.keys.Authority;
import dev.starling.peer.keys.KeyFiles;
import dev.starling.peer.keys.OwnKey;
import dev.starling.peer.keys.Password;
import dev.starling.peer.keys.SigningRequest;
import dev.starling.peer.trust.CertificateNames;
import dev.starling.peer.trust.Credentials;
import dev.starling.peer.trust.KeyPin;
import dev.starling.peer.trust.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Makes a private certificate authority, and the keys and certificates of sites. */
@Command(
        name = "keys",
        description = "Makes a private certificate authority, and the keys and certificates of sites.",
        synopsisSubcommandLabel = "init|request|sign|show|revoke|site",
        footer = {
            "",
            "Examples:",
            "  starling keys init                        # once, at one of the sites",
            "  starling keys request hospital-a          # at every site; the key stays there",
            "  starling keys sign hospital-a.csr         # where the authority is",
            "  starling keys revoke keys/hospital-a.pem",
            "  starling keys site a b c                  # all at once, to try things out on one machine"
        })
public final class KeysCommand implements Runnable {

    private static final String FOLDER = "keys";
    private static final String ISSUED = "825";
    private static final String KEPT = "3650";
    private static final String OF_AUTHORITY =
            "Directory of the authority, where new files are written too (default: ${DEFAULT-VALUE}).";
    private static final String VALIDITY = "Days for which the certificates are valid (default: ${DEFAULT-VALUE}).";
    private static final String OTHERWISE = "write it into a file and name that with --password-file";

    @Spec
    private CommandSpec spec;

    /** Fails, because a subcommand is required. */
    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "init, request, sign, show, revoke or site is missing");
    }

    private PrintWriter out() {
        return spec.commandLine().getOut();
    }

    private static Duration validity(int days) {
        if (days < 1 || days > 36_500) {
            throw new InvalidInputException("--days " + days + " must be between 1 and 36500");
        }
        return Duration.ofDays(days);
    }

    private static InvalidInputException unwritable(Path directory, IOException e) {
        return new InvalidInputException(directory + " cannot be written to: " + e.getMessage(), e);
    }

    /** The certificate in a file. */
    static X509Certificate certificate(Path file) {
        return Credentials.certificates(Authority.readPublic(file), file.toString())
                .get(0);
    }

    @Command(
            mixinStandardHelpOptions = true,
            description =
                    "Makes a private certificate authority: authority.pem, which every site needs, and authority.key,"
                            + " which must stay secret.")
    int init(
            @Option(
                            names = "--dir",
                            paramLabel = "DIR",
                            defaultValue = FOLDER,
                            description = "Directory of the authority (default: ${DEFAULT-VALUE}).")
                    Path directory,
            @Option(
                            names = "--days",
                            paramLabel = "N",
                            defaultValue = KEPT,
                            description = "Days for which the authority is valid (default: ${DEFAULT-VALUE}).")
                    int days) {
        try {
            Authority.create(Instant.now(), validity(days)).save(directory);
        } catch (IOException e) {
            throw unwritable(directory, e);
        }
        out().println(directory.resolve(Authority.CERTIFICATE_FILE));
        out().println(directory.resolve(Authority.KEY_FILE));
        return Main.DONE;
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = {
                "Makes a private key (NAME.key), which stays here, and a signing request (NAME.csr).",
                "The request goes to the authority. An existing key is kept; the request then renews its certificate."
            })
    int request(
            @Parameters(paramLabel = "NAME", description = "Name of the site.") String name,
            @Option(
                            names = "--dir",
                            paramLabel = "DIR",
                            defaultValue = FOLDER,
                            description = "Directory for the key and the request (default: ${DEFAULT-VALUE}).")
                    Path directory,
            @Option(names = "--encrypt", description = "Encrypt the key with a password, which is asked for.")
                    boolean encrypt,
            @Option(
                            names = "--password-file",
                            paramLabel = "FILE",
                            description = "Encrypt the key with the password in the first line of this file.")
                    Path passwordFile) {
        Authority.requireSiteName(name);
        if (passwordFile != null && encrypt) {
            throw new InvalidInputException("--encrypt and --password-file are both given; leave one out");
        }
        try {
            OwnKey key = OwnKey.in(
                    directory,
                    name,
                    passwordFile == null
                            ? typed(directory.resolve(name + ".key"), encrypt)
                            : Optional.of(Password.inFile(passwordFile)));
            Path request = directory.resolve(name + ".csr");
            byte[] pem = SigningRequest.create(name, key.pair());
            AtomicFiles.write(request, stream -> stream.write(pem));
            out().println(request);
            out().println(key.file() + (key.isNew() ? "" : " (unchanged)"));
            out().println("key " + KeyPin.of(key.pair().getPublic()));
        } catch (IOException e) {
            throw unwritable(directory, e);
        }
        return Main.DONE;
    }

    /** The password of a key, if it needs one. */
    private static Optional<Password> typed(Path key, boolean encrypt) {
        if (Files.exists(key)) {
            boolean asks = new KeyFiles(key, key, key, Optional.empty(), Optional.empty()).needsPassword();
            return asks ? Optional.of(Passwords.ask(key, OTHERWISE)) : Optional.empty();
        }
        return encrypt ? Optional.of(Passwords.askForNew(key, OTHERWISE)) : Optional.empty();
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = {
                "Makes a certificate (NAME.pem) for the key in each signing request.",
                "Compare the key it prints with the one that 'keys request' printed at the site, for example by"
                        + " telephone."
            })
    int sign(
            @Parameters(
                            arity = "1..*",
                            paramLabel = "FILE",
                            description = "Signing requests, as 'keys request' makes them.")
                    List<Path> files,
            @Option(names = "--dir", paramLabel = "DIR", defaultValue = FOLDER, description = OF_AUTHORITY)
                    Path directory,
            @Option(names = "--days", paramLabel = "N", defaultValue = ISSUED, description = VALIDITY) int days) {
        Authority authority = Authority.load(directory);
        List<SigningRequest> requests = files.stream()
                .map(file -> SigningRequest.read(Authority.readPublic(file), file.toString()))
                .toList();
        try {
            for (SigningRequest request : requests) {
                byte[] certificate = authority.sign(request, Instant.now(), validity(days));
                out().println(Authority.saveCertificate(certificate, request, directory));
                out().println("site " + request.site() + " key " + request.pin());
            }
        } catch (IOException e) {
            throw unwritable(directory, e);
        }
        return Main.DONE;
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = "Prints the name, the public key and the expiry date of each certificate, as lines for 'keys'"
                    + " in the sites' files.")
    int show(@Parameters(arity = "1..*", paramLabel = "FILE", description = "Certificates.") List<Path> files) {
        out().println("keys:");
        for (Path file : files) {
            X509Certificate certificate = certificate(file);
            String name = String.join(" ", CertificateNames.of(certificate));
            out().println("  " + Printable.of(name) + ": " + KeyPin.of(certificate) + " # until "
                    + certificate.getNotAfter().toInstant());
        }
        return Main.DONE;
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = {
                "Adds certificates to the list of revoked ones (revoked.pem), which every site should have.",
                "When its list is replaced, a site uses the new one from the next connection on."
            })
    int revoke(
            @Parameters(
                            arity = "0..*",
                            paramLabel = "FILE",
                            description = "Certificates to revoke; without any, only the date of the list is renewed.")
                    List<Path> files,
            @Option(
                            names = "--dir",
                            paramLabel = "DIR",
                            defaultValue = FOLDER,
                            description =
                                    "Directory of the authority, where the list is written too (default: ${DEFAULT-VALUE}).")
                    Path directory,
            @Option(
                            names = "--days",
                            paramLabel = "N",
                            defaultValue = KEPT,
                            description =
                                    "Days after which a site without a newer list trusts nobody (default: ${DEFAULT-VALUE}).")
                    int days) {
        Authority authority = Authority.load(directory);
        Path list = directory.resolve(Authority.REVOKED_FILE);
        Optional<byte[]> before = Files.exists(list) ? Optional.of(Authority.readPublic(list)) : Optional.empty();
        List<X509Certificate> certificates = files == null
                ? List.of()
                : files.stream().map(KeysCommand::certificate).toList();
        byte[] pem = authority.revoke(before, certificates, Instant.now(), validity(days));
        AtomicFiles.write(list, stream -> stream.write(pem));
        out().println(list);
        return Main.DONE;
    }

    @Command(
            mixinStandardHelpOptions = true,
            description = {
                "Makes a certificate (NAME.pem) and a private key (NAME.key) for each site of one owner.",
                "With several owners no private key should leave its site: see 'keys request'."
            })
    int site(
            @Parameters(arity = "1..*", paramLabel = "NAME", description = "Names of sites.") List<String> names,
            @Option(names = "--dir", paramLabel = "DIR", defaultValue = FOLDER, description = OF_AUTHORITY)
                    Path directory,
            @Option(names = "--days", paramLabel = "N", defaultValue = ISSUED, description = VALIDITY) int days) {
        Authority authority = Authority.load(directory);
        names.forEach(Authority::requireSiteName);
        try {
            for (String name : names) {
                Authority.save(authority.issue(name, Instant.now(), validity(days)), name, directory)
                        .forEach(out()::println);
            }
        } catch (IOException e) {
            throw unwritable(directory, e);
        }
        return Main.DONE;
    }
}
