package dev.starling.serve;

import dev.starling.data.InvalidInputException;
import dev.starling.data.text.Members;
import dev.starling.runtime.StopSignal;
import java.util.Map;

/** Something to compute, with all that it needs. */
sealed interface Request permits FitRequest, CoxRequest, CompareRequest, PlanRequest {

    /** Receives what is to be told, and answers what is to be asked, while a request is worked on. */
    interface Events {

        /** Tells something. */
        void send(String name, Map<String, Object> members, Map<String, Object> arrays);

        /** Tells something that has no arrays. */
        default void send(String name, Map<String, Object> members) {
            send(name, members, Map.of());
        }

        /**
         * Asks something and waits for the reply.
         *
         * @throws InvalidInputException if there is none because the request was cancelled
         */
        Reply ask(String name, Map<String, Object> members, Map<String, Object> arrays);
    }

    /** What the client replies to a question. */
    record Reply(Members header, Map<String, Object> arrays) {

        /** An array of numbers. */
        double[] numbers(String name) {
            if (arrays.get(name) instanceof double[] numbers) {
                return numbers;
            }
            throw new InvalidInputException("there is no array '" + name + "' of type f64 in a reply; it is needed");
        }
    }

    /** Computes the answer; if the signal is raised meanwhile, nobody waits for it any longer. */
    Answer run(StopSignal signal, Events events);
}
