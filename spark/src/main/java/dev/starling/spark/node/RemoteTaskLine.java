package dev.starling.spark.node;

import dev.starling.node.Exchange;
import dev.starling.peer.transport.Link;

/** A line to a task in another process, over the peers' transport. */
record RemoteTaskLine(Link link) implements TaskLine {

    private static final long PATIENCE_NANOS = 120_000_000_000L;
    private static final long FAREWELL_NANOS = 2_000_000_000L;

    @Override
    public void send(Exchange exchange) {
        link.send(exchange.payload(), exchange.length(), 0);
    }

    @Override
    public double[] poll() {
        return link.hasMessage() ? link.poll().values() : null;
    }

    @Override
    public void requireAlive() {
        if (link.downNanos() > PATIENCE_NANOS) {
            throw new IllegalStateException(
                    "there has been no link to " + link.neighbour().name() + " for " + PATIENCE_NANOS / 1_000_000_000L
                            + " seconds; its task is gone");
        }
    }

    @Override
    public void trim() {
        link.durable(link.taken());
    }

    @Override
    public void finish() {
        link.finish();
    }

    @Override
    public boolean mayLeave() {
        return link.isNeighbourFinished() || link.downNanos() >= FAREWELL_NANOS;
    }
}
