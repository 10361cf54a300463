package dev.starling.cli.options;

import picocli.CommandLine.Option;

/** The method that finds the optimum. */
@Under(Section.NODES)
public final class MethodOption {

    @Option(names = "--method")
    private String method;

    /** The method's name, or auto. */
    public String name() {
        return method;
    }
}
