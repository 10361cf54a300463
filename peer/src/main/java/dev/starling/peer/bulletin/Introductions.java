package dev.starling.peer.bulletin;

import dev.starling.data.InvalidInputException;
import java.util.Optional;

/** Hears what sites sign for each other. */
public interface Introductions {
    /**
     * A site's facts, as somebody tells them; false if the site has not signed them.
     *
     * @throws InvalidInputException if it has, and that cannot be squared with what was heard before
     */
    boolean facts(int site, byte[] body);

    /** This site's confirmation, once everyone's facts are known. */
    Optional<byte[]> ownConfirmation();

    /** A site's confirmation, likewise; asked only when this site has its own. */
    boolean confirmation(int site, byte[] body);

    /** What a site says of the model at the end; false if the site has not signed it. */
    boolean attestation(int site, byte[] body);
}
