package dev.starling.data;

/** The formats of rows in a text file. */
public enum Format {
    /**
     * Detected from the first lines: the first with an {@code index:value} pair (LIBSVM) or a delimiter (CSV) decides.
     */
    AUTO,
    /** A label, then {@code index:value} pairs with indices from 1. */
    LIBSVM,
    /** Numbers between commas, semicolons or tabs, with or without a line of names. */
    CSV
}
