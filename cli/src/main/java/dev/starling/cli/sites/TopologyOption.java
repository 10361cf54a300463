package dev.starling.cli.sites;

import dev.starling.cli.options.CompletionCandidates;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import picocli.CommandLine.Option;

/** Which sites talk to each other. */
final class TopologyOption {

    @Option(
            names = "--topology",
            paramLabel = "TOPOLOGY",
            defaultValue = "complete",
            completionCandidates = CompletionCandidates.OfTopology.class,
            description = "Graph that connects the sites: ring, grid:3x3, ... (default: ${DEFAULT-VALUE}).")
    private String topology;

    /** Returns the network for this many sites. */
    Network network(int sites, long seed) {
        return Topology.named(topology).build(sites, seed);
    }
}
