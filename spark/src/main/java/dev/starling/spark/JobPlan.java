package dev.starling.spark;

import java.io.Serializable;
import java.util.List;
import java.util.Optional;
import org.apache.spark.util.SerializableConfiguration;

/**
 * What the driver hands to the tasks of one job.
 *
 * @param run a name no other job has
 * @param keys one set per partition; none if all tasks run in one process
 * @param checkpointDir where to keep checkpoints; empty for nowhere
 * @param hadoop how to reach it, if there is one
 */
record JobPlan(
        String run,
        Settings settings,
        boolean classification,
        List<NodeKeys> keys,
        String checkpointDir,
        SerializableConfiguration hadoop)
        implements Serializable {

    Optional<Checkpoints> checkpoints() {
        return checkpointDir.isEmpty() ? Optional.empty() : Optional.of(new Checkpoints(checkpointDir, hadoop.value()));
    }
}
