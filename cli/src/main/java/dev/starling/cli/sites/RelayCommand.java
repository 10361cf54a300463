package dev.starling.cli.sites;

import dev.starling.cli.Main;
import dev.starling.data.InvalidInputException;
import dev.starling.peer.keys.Authority;
import dev.starling.peer.keys.KeyFiles;
import dev.starling.peer.keys.Password;
import dev.starling.peer.node.RelayHost;
import dev.starling.peer.transport.Relay;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs a relay, which connects sites that cannot reach each other. */
@Command(
        name = "relay",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Runs a relay, which connects sites that open no port.",
            "What it forwards is encrypted from site to site: it knows only who talks to whom, how much and when."
        },
        footer = {
            "",
            "Examples:",
            "  starling keys request relay",
            "  starling relay --listen 0.0.0.0:7443",
            "  starling network new --sites a,b,c --relay relay.example.org:7443"
        })
public final class RelayCommand implements Callable<Integer> {

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            defaultValue = "0.0.0.0:7443",
            description = "Address to listen on (default: ${DEFAULT-VALUE}).")
    private String listen;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            defaultValue = "keys",
            description = "Directory of authority.pem, relay.pem, relay.key and, if there is one, revoked.pem (default:"
                    + " ${DEFAULT-VALUE}).")
    private Path directory;

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "File with the password of relay.key, if that is encrypted (default: ask for it).")
    private Path passwordFile;

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "500",
            description = "Accept at most N connections at a time; each may take half a megabyte (default:"
                    + " ${DEFAULT-VALUE}).")
    private int connections;

    @Option(
            names = "--per-site",
            paramLabel = "N",
            defaultValue = "100",
            description = "Connect one site to at most N neighbours at a time (default: ${DEFAULT-VALUE}).")
    private int perSite;

    @Option(
            names = "--monitoring",
            paramLabel = "HOST:PORT",
            description = "Serve /metrics (Prometheus) and /health at this address, over plain HTTP.")
    private String monitoring;

    @Mixin
    private LogOptions log;

    @Override
    public Integer call() {
        LogOptions.silenceTransport();
        if (connections < 1 || perSite < 1) {
            throw new InvalidInputException(
                    "--connections " + connections + " and --per-site " + perSite + " must both be at least 1");
        }
        RelayHost host = RelayHost.start(
                address("--listen", listen),
                files(),
                new Relay.Capacity(connections, perSite),
                Optional.ofNullable(monitoring).map(where -> address("--monitoring", where)),
                log.logger(false));
        try {
            // Until the process ends or, in tests, the thread is interrupted.
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            host.close();
        }
        return Main.DONE;
    }

    private static InetSocketAddress address(String option, String text) {
        int colon = text.lastIndexOf(':');
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            if (colon > 0 && port >= 0 && port <= 65535) {
                return new InetSocketAddress(text.substring(0, colon), port);
            }
        } catch (NumberFormatException e) {
            throw notAnAddress(option, text);
        }
        throw notAnAddress(option, text);
    }

    private static InvalidInputException notAnAddress(String option, String text) {
        return new InvalidInputException(option + " " + text + " must be HOST:PORT, such as 0.0.0.0:7443");
    }

    private KeyFiles files() {
        Path revoked = directory.resolve(Authority.REVOKED_FILE);
        KeyFiles files = new KeyFiles(
                directory.resolve(Authority.CERTIFICATE_FILE),
                directory.resolve("relay.pem"),
                directory.resolve("relay.key"),
                Optional.ofNullable(passwordFile).map(Password::inFile),
                Files.exists(revoked) ? Optional.of(revoked) : Optional.empty());
        return files.needsPassword()
                ? files.with(Passwords.ask(files.key(), "write it into a file and name that with --password-file"))
                : files;
    }
}
