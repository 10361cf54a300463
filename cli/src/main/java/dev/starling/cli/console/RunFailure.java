package dev.starling.cli.console;

/** The input was valid but the run did not do what was asked; the message is the line to show. */
public final class RunFailure extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final boolean passing;

    public RunFailure(String message) {
        this(message, null);
    }

    public RunFailure(String message, Throwable cause) {
        this(message, cause, false);
    }

    private RunFailure(String message, Throwable cause, boolean passing) {
        super(message, cause);
        this.passing = passing;
    }

    /** Returns a transient failure: the same command may succeed when run again. */
    public static RunFailure passing(String message, Throwable cause) {
        return new RunFailure(message, cause, true);
    }

    /** Whether the same command may succeed when run again. */
    public boolean isPassing() {
        return passing;
    }
}
