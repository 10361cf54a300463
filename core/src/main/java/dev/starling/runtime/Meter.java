package dev.starling.runtime;

/** The costs of one node so far. */
public interface Meter {

    /** Its idealised time. */
    double clock();

    /** Its communication rounds. */
    long rounds();

    /** Its computation, in proximal steps. */
    double work();

    /** The payload of the messages it sent, in bytes. */
    long bytesSent();
}
