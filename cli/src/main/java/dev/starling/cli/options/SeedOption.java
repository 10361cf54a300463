package dev.starling.cli.options;

import java.util.function.Predicate;
import picocli.CommandLine.Option;

/** The seed of all random choices. */
@Under(Section.NODES)
public final class SeedOption {

    private static final String NAME = "--seed";

    @Option(names = NAME)
    private long seed;

    /** The seed. */
    public long value() {
        return seed;
    }

    /** Takes the seed of an earlier run, unless one was given. */
    public void like(long earlier, Predicate<String> isGiven) {
        seed = isGiven.test(NAME) ? seed : earlier;
    }
}
