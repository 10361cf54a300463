package dev.starling.cli.sites;

import dev.starling.cli.Main;
import dev.starling.cli.console.ConsoleCommand;
import dev.starling.data.InvalidInputException;
import dev.starling.data.text.AtomicFiles;
import dev.starling.peer.keys.Authority;
import dev.starling.peer.keys.KeyFiles;
import dev.starling.peer.keys.OwnKey;
import dev.starling.peer.keys.Password;
import dev.starling.peer.keys.SigningRequest;
import dev.starling.peer.trust.KeyPin;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes a site's own key, and a signing request for the authority. */
@Command(
        name = "request",
        description = {
            "Makes a private key (NAME.key), which stays here, and a signing request (NAME.csr).",
            "The request goes to the authority. An existing key is kept; the request then renews its certificate."
        })
final class KeysRequestCommand extends ConsoleCommand {

    private static final String OTHERWISE = "write it into a file and name that with --password-file";

    @Parameters(index = "0", paramLabel = "NAME", description = "Name of the site.")
    private String name;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            defaultValue = "keys",
            description = "Directory for the key and the request (default: ${DEFAULT-VALUE}).")
    private Path directory;

    @Option(names = "--encrypt", description = "Encrypt the key with a password, which is asked for.")
    private boolean encrypt;

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "Encrypt the key with the password in the first line of this file.")
    private Path passwordFile;

    @Override
    public Integer call() {
        Authority.requireSiteName(name);
        PrintWriter out = out();
        try {
            OwnKey key = OwnKey.in(directory, name, password());
            Path request = directory.resolve(name + ".csr");
            byte[] pem = SigningRequest.create(name, key.pair());
            AtomicFiles.write(request, stream -> stream.write(pem));
            out.println(request);
            out.println(key.file() + (key.isNew() ? "" : " (unchanged)"));
            out.println("key " + KeyPin.of(key.pair().getPublic()));
        } catch (IOException e) {
            throw KeysCommand.unwritable(directory, e);
        }
        return Main.DONE;
    }

    private Optional<Password> password() {
        if (passwordFile != null && encrypt) {
            throw new InvalidInputException("--encrypt and --password-file are both given; leave one out");
        }
        if (passwordFile != null) {
            return Optional.of(Password.inFile(passwordFile));
        }
        Path key = directory.resolve(name + ".key");
        if (Files.exists(key)) {
            boolean asks = new KeyFiles(key, key, key, Optional.empty(), Optional.empty()).needsPassword();
            return asks ? Optional.of(Passwords.ask(key, OTHERWISE)) : Optional.empty();
        }
        return encrypt ? Optional.of(Passwords.askForNew(key, OTHERWISE)) : Optional.empty();
    }
}
