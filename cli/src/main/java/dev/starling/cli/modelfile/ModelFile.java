package dev.starling.cli.modelfile;

import dev.starling.model.LinearModel;
import java.util.List;

/**
 * What a model file holds: the model and how to make it again.
 *
 * @param model the model, with its provenance
 * @param command the arguments of the command that made it, canonical and complete; empty if unknown
 * @param edges the graph's edges as (tail, head, weight), when it came from a file; otherwise empty
 */
public record ModelFile(LinearModel model, List<String> command, List<Edge> edges) {

    /** An edge of the graph. */
    public record Edge(int tail, int head, double weight) {}

    /** Copies the lists. */
    public ModelFile {
        command = List.copyOf(command);
        edges = List.copyOf(edges);
    }

    /** A model of which nothing else is known. */
    public static ModelFile of(LinearModel model) {
        return new ModelFile(model, List.of(), List.of());
    }
}
