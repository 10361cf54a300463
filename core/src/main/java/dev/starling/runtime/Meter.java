package dev.starling.runtime;

/** What one node has spent so far. */
public interface Meter {

    /** Its idealised time. */
    double clock();

    /** Its communication rounds. */
    long rounds();

    /** Its computation, in proximal steps. */
    double work();

    /** Payload of the messages it sent, in bytes. */
    long bytesSent();
}
