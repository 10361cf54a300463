package dev.starling.data;

/** What rows look like in a file. */
public enum Format {
    /** Told from the first lines: LIBSVM if one holds an {@code index:value} pair, else CSV. */
    AUTO,
    /** A label, then {@code index:value} pairs with indices from 1. */
    LIBSVM,
    /** Numbers between commas, semicolons or tabs, with or without a line of names. */
    CSV
}
