package dev.starling.data.text;

import dev.starling.data.InvalidInputException;

/** Thrown when a cell of a CSV file is not a number but may be text or a missing value. */
public final class TextCellException extends InvalidInputException {

    private static final long serialVersionUID = 1L;

    private final boolean names;

    /** @param names whether the columns have names */
    public TextCellException(String message, boolean names) {
        super(message);
        this.names = names;
    }

    public boolean hasNames() {
        return names;
    }
}
