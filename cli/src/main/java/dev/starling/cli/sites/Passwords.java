package dev.starling.cli.sites;

import dev.starling.data.InvalidInputException;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.keys.Password;
import java.io.Console;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Asks for passwords at the terminal: as command-line arguments, everybody could read them. */
final class Passwords {

    private Passwords() {}

    /** Returns a site whose key can be used: asks for the password if the key is encrypted and no file holds it. */
    static SiteConfig unlocked(SiteConfig config) {
        Path key = config.tls().key();
        return Files.exists(key) && config.tls().needsPassword()
                ? config.with(ask(key, "write it into a file and name that as tls.password"))
                : config;
    }

    /** Asks for the password of an encrypted key. */
    static Password ask(Path key, String otherwise) {
        return Password.typed(read(key, "Password of " + key + ": ", otherwise));
    }

    /** Asks twice for the password of a new key. */
    static Password askForNew(Path key, String otherwise) {
        char[] first = read(key, "New password of " + key + ": ", otherwise);
        char[] second = read(key, "Repeat the password: ", otherwise);
        if (first.length == 0 || !Arrays.equals(first, second)) {
            throw new InvalidInputException("the passwords are empty or differ; start again");
        }
        return Password.typed(first);
    }

    @SuppressWarnings("SystemConsoleNull") // from Java 22 on the console is never null, but may read nothing
    private static char[] read(Path key, String prompt, String otherwise) {
        Console console = System.console();
        char[] typed = console == null ? null : console.readPassword("%s", prompt);
        if (typed == null) {
            throw new InvalidInputException(
                    key + " needs a password, and there is no terminal to ask for it; " + otherwise);
        }
        return typed;
    }
}
