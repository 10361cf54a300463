package dev.starling.peer.node;

import dev.starling.data.InvalidInputException;
import dev.starling.job.JobResult;
import dev.starling.job.RawWeights;
import dev.starling.job.TrainingJob;
import dev.starling.node.Exchange;
import dev.starling.node.ObjectionException;
import dev.starling.node.Phase;
import dev.starling.node.State;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A job whose neighbours are other people's machines: invalid messages are attributed to the site that sent them. */
final class CheckedJob implements Phase<JobResult> {

    private final TrainingJob job;
    private final List<String> sites;
    private final Consumer<Exchange> results;
    private Exchange exchange;
    private boolean refused;

    /**
     * Wraps a job.
     *
     * @param results receives every exchange that passes on the result of a collective
     */
    CheckedJob(TrainingJob job, List<String> sites, Consumer<Exchange> results) {
        this.job = job;
        this.sites = sites;
        this.results = results;
    }

    @Override
    public Exchange advance() {
        try {
            exchange = job.advance();
            if (exchange.isRest()) {
                results.accept(exchange);
            }
            return exchange;
        } catch (ArrayIndexOutOfBoundsException e) {
            throw PeerStoppedException.fault(
                    "what other sites sent does not fit together; one of them is faulty, or not the site it claims to be",
                    e);
        } catch (InvalidInputException e) {
            throw refused(e);
        }
    }

    /** Called when the sites' rows do not fit together, in which case all sites end in the same way. */
    private InvalidInputException refused(InvalidInputException e) {
        refused = true;
        return e instanceof ObjectionException objection ? named(objection) : e;
    }

    /** Whether the job has ended because the sites' rows do not fit together. */
    boolean isRefused() {
        return refused;
    }

    private ObjectionException named(ObjectionException e) {
        String site = e.node() >= 0 && e.node() < sites.size() ? sites.get(e.node()) : String.valueOf(e.node());
        return new ObjectionException(e.node(), "site " + site + ": " + e.getMessage());
    }

    @Override
    public void absorb(double[][] messages) {
        if (exchange.kind() == Exchange.Kind.ROUND) {
            requireFinite(messages);
        }
        try {
            job.absorb(messages);
        } catch (ArrayIndexOutOfBoundsException e) {
            throw PeerStoppedException.fault("site " + senders() + " sent a vector that is too short", e);
        } catch (InvalidInputException e) {
            if (exchange.from().length == 0 || e instanceof ObjectionException) {
                throw refused(e);
            }
            throw PeerStoppedException.fault("site " + senders() + " sent something invalid: " + e.getMessage(), e);
        }
    }

    private String senders() {
        return Arrays.stream(exchange.from()).mapToObj(sites::get).collect(Collectors.joining(" or "));
    }

    private void requireFinite(double[][] messages) {
        for (int k = 0; k < messages.length; k++) {
            double sum = 0;
            for (double value : messages[k]) {
                sum += value * 0; // NaN exactly if the value is not finite
            }
            if (sum != 0) {
                throw PeerStoppedException.fault(
                        "site " + sites.get(exchange.from()[k]) + " sent a vector of " + messages[k].length
                                + " entries that are not all finite; it is faulty, or not the site it claims to be",
                        null);
            }
        }
    }

    /** The last certified point. */
    RawWeights reached() {
        return job.reached();
    }

    @Override
    public boolean isDone() {
        return job.isDone();
    }

    @Override
    public JobResult result() {
        return job.result();
    }

    @Override
    public int longestMessage() {
        return job.longestMessage();
    }

    @Override
    public void state(State s) throws IOException {
        try {
            job.state(s);
        } catch (InvalidInputException e) {
            throw refused(e);
        }
    }
}
