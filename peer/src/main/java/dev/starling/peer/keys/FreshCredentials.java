package dev.starling.peer.keys;

import dev.starling.data.InvalidInputException;
import dev.starling.peer.trust.Credentials;
import dev.starling.peer.trust.KeyPin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * A site's credentials, reloaded when their files change, so that a certificate can be renewed and a revocation list
 * replaced while the site runs. If the new files cannot be read or belong to another key, the credentials in use are
 * kept.
 */
public final class FreshCredentials implements Supplier<Credentials> {

    /** Strangers can cause a site to check its files; they must not be able to keep its disk busy. */
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final KeyFiles files;
    private final Consumer<String> complaints;
    private final Consumer<Credentials> renewals;
    private final LongSupplier clock;
    private Credentials current;
    private Map<Path, List<Object>> seen;
    private long lookedAt;

    /**
     * Creates the credentials and reads them for the first time.
     *
     * @param renewals receives the new credentials whenever they change
     * @param complaints receives the reason when files that have changed are not used
     */
    public FreshCredentials(KeyFiles files, Consumer<Credentials> renewals, Consumer<String> complaints) {
        this(files, renewals, complaints, System::nanoTime);
    }

    FreshCredentials(KeyFiles files, Consumer<Credentials> renewals, Consumer<String> complaints, LongSupplier clock) {
        this.files = files;
        this.renewals = renewals;
        this.complaints = complaints;
        this.clock = clock;
        this.seen = look();
        this.current = files.load();
        this.lookedAt = clock.getAsLong();
    }

    @Override
    public synchronized Credentials get() {
        if (clock.getAsLong() - lookedAt >= QUIET_NANOS) {
            lookedAt = clock.getAsLong();
            Map<Path, List<Object>> now = look();
            if (!now.equals(seen)) {
                seen = now;
                renew();
            }
        }
        return current;
    }

    private void renew() {
        try {
            Credentials renewed = files.load();
            KeyPin before = KeyPin.of(current.certificate());
            if (!KeyPin.of(renewed.certificate()).equals(before)) {
                throw new InvalidInputException(files.certificate() + " is now for a public key other than " + before
                        + "; a site keeps its key for as long as a run lasts");
            }
            current = renewed;
            renewals.accept(renewed);
        } catch (InvalidInputException e) {
            complaints.accept(e.getMessage());
        }
    }

    /** The modification time and size of each file. */
    private Map<Path, List<Object>> look() {
        Map<Path, List<Object>> state = new TreeMap<>();
        files.all().forEach(file -> {
            try {
                state.put(file, List.of(Files.getLastModifiedTime(file), Files.size(file)));
            } catch (IOException e) {
                state.put(file, List.of());
            }
        });
        return state;
    }
}
