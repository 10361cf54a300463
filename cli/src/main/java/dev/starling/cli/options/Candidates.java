package dev.starling.cli.options;

import dev.starling.data.Format;
import dev.starling.lab.comparison.ComparedMethods;
import dev.starling.loss.Losses;
import dev.starling.method.Methods;
import dev.starling.network.Topology;
import dev.starling.table.Missing;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/** The values that a shell offers for options which take a name. */
public final class Candidates {

    /** The runtimes there are. */
    public static final List<String> RUNTIMES = List.of("threads", "simulator");

    /** What may be done about levels that prediction meets for the first time. */
    static final List<String> UNKNOWN = List.of("refuse", "reference");

    private Candidates() {}

    /** Names of losses, without their parameters. */
    public static final class OfLoss implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Losses.names().iterator();
        }
    }

    /** Names of methods. */
    public static final class OfMethod implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Methods.names().iterator();
        }
    }

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

    /** What may be done about missing values. */
    public static final class OfMissing implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(Missing.values()).map(Missing::text).iterator();
        }
    }

    /** What may be done about levels that were not met in training. */
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
            return Names.all(Format.class).iterator();
        }
    }
}
