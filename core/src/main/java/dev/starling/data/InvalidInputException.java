package dev.starling.data;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Thrown when something a user supplied cannot be used. The message is one line that names the thing, the value found
 * and what would be right, and can be shown to the user as it is.
 */
public class InvalidInputException extends IllegalArgumentException {

    /** Creates an exception with the line to show. */
    public InvalidInputException(String message) {
        super(message);
    }

    /** Creates an exception with the line to show and its cause. */
    public InvalidInputException(String message, Throwable cause) {
        super(message, cause);
    }

    /**
     * Creates an exception for a file that exists but cannot be read.
     *
     * @param file the name of the file
     */
    public static InvalidInputException unreadable(Object file, IOException e) {
        if (e instanceof CharacterCodingException) {
            return new InvalidInputException(file + " is not text in UTF-8; convert it, or give another file", e);
        }
        boolean denied = e instanceof FileNotFoundException
                && String.valueOf(e.getMessage()).endsWith("(Permission denied)");
        if (denied || e instanceof AccessDeniedException) {
            return new InvalidInputException(file + " cannot be read: permission denied; check who may read it", e);
        }
        // Its message begins with the file's name.
        String reason = e instanceof FileSystemException of && of.getReason() != null ? of.getReason() : e.getMessage();
        return new InvalidInputException(file + " cannot be read: " + reason, e);
    }

    /**
     * Creates an exception for an unknown name; its message suggests the nearest valid name and lists them all.
     *
     * @param kind what the name is for, such as {@code loss} or {@code topology}
     * @param given what the user wrote
     * @param valid the names that exist
     */
    public static InvalidInputException unknownName(String kind, String given, Collection<String> valid) {
        return new InvalidInputException("unknown " + kind + " '" + given + "'"
                + meant(given, valid)
                        .map(name -> "; did you mean '" + name + "'?")
                        .orElse(";")
                + " there are: " + String.join(", ", valid));
    }

    /**
     * Returns the one of several things that has a name.
     *
     * @throws InvalidInputException if none has, as {@link #unknownName} says it
     */
    public static <T> T named(
            String kind, String given, Collection<? extends T> all, Function<? super T, String> name) {
        for (T one : all) {
            if (name.apply(one).equals(given)) {
                return one;
            }
        }
        throw unknownName(kind, given, all.stream().map(name).toList());
    }

    /** The name that was most likely meant, if one is close enough. */
    public static Optional<String> meant(String given, Collection<String> names) {
        String nearest = nearest(given, names);
        return 3 * editDistance(given, nearest) <= Math.min(given.length(), nearest.length())
                ? Optional.of(nearest)
                : Optional.empty();
    }

    /** The name with the smallest edit distance, the first of several; empty if there are no names. */
    public static String nearest(String given, Collection<String> names) {
        return names.stream()
                .min(Comparator.comparingInt(name -> editDistance(given, name)))
                .orElse("");
    }

    /**
     * The number of insertions, deletions, replacements and swaps of adjacent letters between two words; case is
     * ignored.
     */
    private static int editDistance(String from, String to) {
        String a = from.toLowerCase(Locale.ROOT);
        String b = to.toLowerCase(Locale.ROOT);
        int[][] edits = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    edits[i][j] = i + j;
                    continue;
                }
                int replace = edits[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                edits[i][j] = Math.min(replace, 1 + Math.min(edits[i - 1][j], edits[i][j - 1]));
                boolean swapped =
                        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
                if (swapped) {
                    edits[i][j] = Math.min(edits[i][j], 1 + edits[i - 2][j - 2]);
                }
            }
        }
        return edits[a.length()][b.length()];
    }

    /**
     * What a text is parsed as.
     *
     * @throws InvalidInputException with the message if it is not a number
     */
    public static <T> T parsed(Supplier<T> parse, Supplier<String> message) {
        return parsed(parse, any -> true, message);
    }

    /**
     * What a text is parsed as.
     *
     * @throws InvalidInputException with the message if it is not a number, or one that does not suit
     */
    public static <T> T parsed(Supplier<T> parse, Predicate<? super T> suits, Supplier<String> message) {
        NumberFormatException cause = null;
        try {
            T value = parse.get();
            if (suits.test(value)) {
                return value;
            }
        } catch (NumberFormatException e) {
            cause = e;
        }
        throw new InvalidInputException(message.get(), cause);
    }
}
