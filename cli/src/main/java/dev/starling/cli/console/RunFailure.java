package dev.starling.cli.console;

/** The input was good but the run did not do what was asked: the message is the line to show. */
public final class RunFailure extends RuntimeException {

    private static final long serialVersionUID = 1;

    public RunFailure(String message) {
        super(message);
    }

    public RunFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
