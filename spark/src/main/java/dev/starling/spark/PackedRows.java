package dev.starling.spark;

import dev.starling.data.Dataset;
import java.util.Optional;

/**
 * The rows of a node in the core's layout.
 *
 * @param objection what is wrong with them, if something is; then the rest does not count
 */
record PackedRows(Dataset data, Optional<String> objection) {}
