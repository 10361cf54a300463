package dev.starling.spark.node;

import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.peer.keys.Authority;
import dev.starling.settings.Settings;
import dev.starling.spark.rows.Decision;
import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.spark.util.SerializableConfiguration;

/**
 * What the driver sends to all tasks of a job.
 *
 * @param run a unique name of the job
 * @param settingsText the settings as text
 * @param counted whether classes are the numbers from 0 on; otherwise they are the labels that occur in the rows
 * @param names the names of the features; empty if they have none
 * @param decision what is decided when rows are known
 * @param topology the name of the topology
 * @param keys with which a task proves its name to the other tasks of its job, and to nobody else; one set per
 *     partition, empty if all tasks run in one process
 * @param checkpointDir the directory of states; empty if none are saved
 * @param checkpointPasses the number of passes over the data between states
 * @param hadoop the configuration with which that directory is accessed
 */
public record TaskPlan(
        String run,
        Map<String, String> settingsText,
        boolean counted,
        List<String> names,
        Decision decision,
        String topology,
        List<Authority.SiteKeys> keys,
        String checkpointDir,
        int checkpointPasses,
        SerializableConfiguration hadoop)
        implements Serializable {

    private static final Duration VALIDITY = Duration.ofDays(30);

    /** Makes keys for all partitions; the authority's own key is discarded at once. */
    public static List<Authority.SiteKeys> keysFor(int partitions) {
        Instant now = Instant.now();
        Authority authority = Authority.create(now, VALIDITY);
        return IntStream.range(0, partitions)
                .mapToObj(k -> authority.issue(taskName(k), now, VALIDITY))
                .toList();
    }

    /** The name of the task of a partition. */
    static String taskName(int partition) {
        return "partition-" + partition;
    }

    Settings settings() {
        return Settings.of(settingsText);
    }

    Network network(int size) {
        return Topology.named(topology).build(size, settings().seed());
    }

    Optional<StateFiles> states() {
        return checkpointDir.isEmpty() ? Optional.empty() : Optional.of(new StateFiles(checkpointDir, hadoop.value()));
    }

    /** A description of everything except rows that determines a state. */
    String statesOf() {
        return settingsText + " " + counted + " " + topology + " " + checkpointPasses;
    }
}
