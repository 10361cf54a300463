package dev.starling.data;

import java.util.Collection;
import java.util.Comparator;

/**
 * Something a user supplied cannot be used: the message is one line that names the thing, the value found and what
 * would be right, and is fit to be shown as it is.
 */
public class InvalidInputException extends IllegalArgumentException {

    /** An error with the line to show. */
    public InvalidInputException(String message) {
        super(message);
    }

    /** An error with the line to show and what brought it about. */
    public InvalidInputException(String message, Throwable cause) {
        super(message, cause);
    }

    /**
     * An error for a name that is not one of those that exist; it offers the nearest one and lists them all.
     *
     * @param kind what the name is of: {@code loss}, {@code topology}
     * @param given what the user wrote
     * @param valid the names that exist
     */
    public static InvalidInputException unknownName(String kind, String given, Collection<String> valid) {
        String nearest = nearest(given, valid);
        boolean close = editDistance(given, nearest) <= Math.max(2, nearest.length() / 3);
        return new InvalidInputException("unknown " + kind + " '" + given + "'"
                + (close ? "; did you mean '" + nearest + "'?" : ";") + " there are: " + String.join(", ", valid));
    }

    /** The name with the fewest letters to change, the first of several such; empty if there are no names. */
    public static String nearest(String given, Collection<String> names) {
        return names.stream()
                .min(Comparator.comparingInt(name -> editDistance(given, name)))
                .orElse("");
    }

    /** The number of letters to insert, delete or replace to turn one word into the other. */
    private static int editDistance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int above = row[j];
                int replace = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replace, 1 + Math.min(above, row[j - 1]));
                diagonal = above;
            }
        }
        return row[b.length()];
    }
}
