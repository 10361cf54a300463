package dev.starling.spark.node;

import dev.starling.job.Settings;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.util.SerializableConfiguration;

/**
 * What the driver hands to the tasks of one job, the same to all.
 *
 * @param run a name no other job has
 * @param settingsText the settings, in their text form
 * @param counted whether classes are numbered from 0; otherwise they are the labels that rows have
 * @param topology who talks to whom
 * @param keys one set per partition; none if all tasks run in one process
 * @param checkpointDir where to keep states; empty for nowhere
 * @param checkpointPasses passes over the data between states
 * @param hadoop how to reach it, if there is one
 */
public record TaskPlan(
        String run,
        Map<String, String> settingsText,
        boolean counted,
        String topology,
        List<NodeKeys> keys,
        String checkpointDir,
        int checkpointPasses,
        SerializableConfiguration hadoop)
        implements Serializable {

    Settings settings() {
        return Settings.of(settingsText);
    }

    Network network(int size) {
        return Topology.named(topology).build(size, settings().seed());
    }

    Optional<StateFiles> states() {
        return checkpointDir.isEmpty() ? Optional.empty() : Optional.of(new StateFiles(checkpointDir, hadoop.value()));
    }

    /** What a state is a function of besides rows. */
    String statesOf() {
        return settingsText + " " + counted + " " + topology + " " + checkpointPasses;
    }
}
