package dev.starling.serve;

import dev.starling.runtime.StopSignal;
import java.io.IOException;
import java.util.Map;

/** Something to compute, with all that it needs. */
sealed interface Request permits FitRequest, CoxRequest {

    /** Receives what is to be told while a request is worked on. */
    @FunctionalInterface
    interface Events {
        void send(String name, Map<String, Object> members) throws IOException;
    }

    /** Computes the answer; if the signal is raised meanwhile, nobody waits for it any longer. */
    Answer run(StopSignal signal, Events events);
}
