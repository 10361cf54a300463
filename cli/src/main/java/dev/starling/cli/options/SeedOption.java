package dev.starling.cli.options;

import picocli.CommandLine.Option;

/** The seed of all random choices. */
@Under(Section.NODES)
public final class SeedOption {

    @Option(names = "--seed")
    private long seed;

    /** The seed. */
    public long value() {
        return seed;
    }
}
