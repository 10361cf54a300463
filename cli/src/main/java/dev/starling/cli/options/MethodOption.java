package dev.starling.cli.options;

import java.util.function.Predicate;
import picocli.CommandLine.Option;

/** The method that finds the optimum. */
@Under(Section.NODES)
public final class MethodOption {

    private static final String NAME = "--method";

    @Option(names = NAME)
    private String method;

    /** The method's name, or auto. */
    public String name() {
        return method;
    }

    /** Takes the method of an earlier run, unless one was given. */
    public void like(String earlier, Predicate<String> isGiven) {
        method = isGiven.test(NAME) ? method : earlier;
    }
}
