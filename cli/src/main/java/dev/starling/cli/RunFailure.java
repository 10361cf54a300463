package dev.starling.cli;

/** The input was good but the run did not do what was asked: the message is the line to show. */
final class RunFailure extends RuntimeException {

    private static final long serialVersionUID = 1;

    RunFailure(String message) {
        super(message);
    }
}
