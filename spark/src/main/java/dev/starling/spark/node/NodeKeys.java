package dev.starling.spark.node;

import dev.starling.peer.keys.Authority;
import dev.starling.peer.transport.Credentials;
import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The keys with which a task proves its name to the other tasks of its job, and to nobody else. The driver makes them
 * for one job; they are PEM text.
 */
public record NodeKeys(byte[] authority, byte[] certificate, byte[] key) implements Serializable {

    private static final Duration VALIDITY = Duration.ofDays(30);

    /** Makes keys for all partitions; the authority's own key is discarded at once. */
    public static List<NodeKeys> make(int partitions) {
        Instant now = Instant.now();
        Authority authority = Authority.create(now, VALIDITY);
        List<NodeKeys> all = new ArrayList<>();
        for (int k = 0; k < partitions; k++) {
            Authority.SiteKeys keys = authority.issue("partition-" + k, now, VALIDITY);
            all.add(new NodeKeys(keys.authority(), keys.certificate(), keys.key()));
        }
        return all;
    }

    Credentials credentials() {
        return Credentials.ofPem(authority, certificate, key);
    }

    @Override
    public String toString() {
        return "NodeKeys";
    }
}
