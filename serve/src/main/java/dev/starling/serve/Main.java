package dev.starling.serve;

/** The process that R and Python start: serves its standard streams and ends with them. */
public final class Main {

    private Main() {}

    /** Serves until standard input ends; takes no arguments. */
    public static void main(String[] args) {
        System.exit(PipeServer.serveStandardStreams());
    }
}
