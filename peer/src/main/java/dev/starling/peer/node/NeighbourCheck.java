package dev.starling.peer.node;

import dev.starling.data.InvalidInputException;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.transport.ConnectionTrial;
import dev.starling.peer.transport.Credentials;
import dev.starling.peer.transport.Identity;
import dev.starling.peer.transport.Neighbour;
import java.io.IOException;

/**
 * Connects to neighbours as a run does and disconnects again, to check whether they are running, whether they are who
 * they should be, and whether they accept this site. A neighbour that is not running yet is distinguished from one that
 * is wrong.
 */
record NeighbourCheck(SiteConfig config, Credentials credentials) {

    SiteCheck.Finding reach(int node) throws IOException {
        SiteConfig.Remote remote = config.neighbours().get(node);
        String name = config.sites().get(node);
        String where = "neighbour " + name + " at " + SiteConfig.text(remote.address())
                + config.proxy().map(proxy -> " through the proxy " + proxy).orElse("");
        Identity self = new Identity(config.node(), config.site(), config.run(), config.networkText());
        Neighbour neighbour = new Neighbour(node, name, remote.certificateName(), config.pin(node));
        try (ConnectionTrial trial = ConnectionTrial.of(self, credentials, neighbour, config.proxy())) {
            ConnectionTrial.Answer answer = trial.call(remote.address());
            return switch (answer.outcome()) {
                case THERE -> SiteCheck.ok(where + " answers and is who it should be");
                case NOT_THERE ->
                    new SiteCheck.Finding(
                            SiteCheck.Verdict.LATER,
                            where + " is not started yet, or cannot be reached (" + answer.reason() + ")");
                case WRONG -> throw new InvalidInputException(where + " is not usable: " + answer.reason());
            };
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while calling " + where, e);
        }
    }
}
