package dev.starling.cli;

import java.util.Arrays;
import java.util.Map;

/**
 * Former names of options, from before options had the same name in all commands: they still work, but help does not
 * show them.
 */
final class FormerNames {

    private static final Map<String, String> CURRENT = Map.of(
            "--seeds", "--seed",
            "--out", "--output",
            "--folder", "--dir",
            "--samples", "--rows",
            "--samples-per-node", "--rows-per-node");

    private FormerNames() {}

    /** Returns the arguments with every option under its current name. */
    static String[] replaced(String... arguments) {
        return Arrays.stream(arguments).map(FormerNames::current).toArray(String[]::new);
    }

    private static String current(String argument) {
        String[] parts = argument.split("=", 2);
        String name = CURRENT.getOrDefault(parts[0], parts[0]);
        return parts.length == 1 ? name : name + "=" + parts[1];
    }
}
