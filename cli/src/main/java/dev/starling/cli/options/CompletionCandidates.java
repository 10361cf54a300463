package dev.starling.cli.options;

import dev.starling.data.Format;
import dev.starling.lab.comparison.ComparedMethods;
import dev.starling.network.Topology;
import dev.starling.recipe.Missing;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/** The values that a shell offers when it completes options that take a name. */
public final class CompletionCandidates {

    /** The names of all runtimes. */
    public static final List<String> RUNTIMES = List.of("threads", "simulator");

    /** Ways to treat levels that first appear in prediction. */
    static final List<String> UNKNOWN = List.of("refuse", "reference");

    private CompletionCandidates() {}

    /** Names of methods to compare. */
    public static final class OfAlgorithm implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return ComparedMethods.names().iterator();
        }
    }

    /** Names of topologies, without their parameters. */
    public static final class OfTopology implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Topology.names().iterator();
        }
    }

    /** Ways to treat missing values. */
    public static final class OfMissing implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(Missing.values()).map(Missing::text).iterator();
        }
    }

    /** Ways to treat levels that first appear in prediction. */
    public static final class OfUnknown implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return UNKNOWN.iterator();
        }
    }

    /** Names of runtimes. */
    public static final class OfRuntime implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return RUNTIMES.iterator();
        }
    }

    /** Names of data formats. */
    public static final class OfFormat implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return EnumNames.all(Format.class).iterator();
        }
    }
}
