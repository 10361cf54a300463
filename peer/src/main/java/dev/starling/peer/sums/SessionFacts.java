package dev.starling.peer.sums;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Everyone's facts, of which the session is the digest.
 *
 * @param self this site's number
 * @param encoded what each site has signed, by site
 */
public record SessionFacts(int self, List<byte[]> encoded) {

    /** Copies the list. */
    public SessionFacts {
        encoded = List.copyOf(encoded);
    }

    /** The session. */
    public byte[] id() {
        return SumSession.id(encoded.toArray(byte[][]::new));
    }

    /** What a site says of itself. */
    public SiteFacts site(int site) {
        return SiteFacts.decode(encoded.get(site));
    }

    /** What every site says of its limits. */
    public List<Map<String, Double>> limits() {
        return encoded.stream().map(SiteFacts::decode).map(SiteFacts::limits).toList();
    }

    /** Whether a site has said just this of itself. */
    public boolean says(SiteFacts facts) {
        return Arrays.equals(facts.encode(), encoded.get(facts.site()));
    }
}
