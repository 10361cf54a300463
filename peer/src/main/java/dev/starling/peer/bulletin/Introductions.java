package dev.starling.peer.bulletin;

import dev.starling.data.InvalidInputException;
import java.util.Optional;

/** Checks and receives the notes that sites sign for each other. */
public interface Introductions {
    /**
     * Receives a site's facts, whoever forwarded them; returns false if the site has not signed them.
     *
     * @throws InvalidInputException if the site has signed them and they contradict what it signed earlier
     */
    boolean facts(int site, byte[] body);

    /** Returns this site's confirmation, once the facts of all sites are known. */
    Optional<byte[]> ownConfirmation();

    /**
     * Receives a site's confirmation; returns false if the site has not signed it. Called only once this site has made
     * its own.
     */
    boolean confirmation(int site, byte[] body);

    /** Receives what a site states about the model at the end; returns false if the site has not signed it. */
    boolean attestation(int site, byte[] body);

    /** Receives what a site says that it was told, in a dispute; returns false if the site has not signed it. */
    boolean testimony(int site, byte[] body);
}
