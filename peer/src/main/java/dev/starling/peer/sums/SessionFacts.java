package dev.starling.peer.sums;

import java.util.List;
import java.util.Map;

/**
 * The facts of all sites, from which the session's identifier is derived.
 *
 * @param self this site's number
 * @param encoded the facts that each site has signed, by site
 */
public record SessionFacts(int self, List<byte[]> encoded) {

    /** Copies the list. */
    public SessionFacts {
        encoded = List.copyOf(encoded);
    }

    /** The session's identifier. */
    public byte[] id() {
        return SumSession.id(encoded.toArray(byte[][]::new));
    }

    /** The facts of a site. */
    public SiteFacts site(int site) {
        return SiteFacts.decode(encoded.get(site));
    }

    /** The limits of every site. */
    public List<Map<String, Double>> limits() {
        return encoded.stream().map(SiteFacts::decode).map(SiteFacts::limits).toList();
    }
}
