package dev.starling.peer.membership;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.peer.keys.Authority;
import dev.starling.peer.keys.SiteSignature;
import dev.starling.peer.trust.KeyPin;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Who is believed about sites that leave and sites that stay: never whoever merely keeps the authority. */
class ChangeTest {

    private static final Instant NOW = Instant.now();
    private static final Authority AUTHORITY = Authority.create(NOW, Duration.ofDays(2));
    private static final List<String> BEFORE = List.of("a", "b", "c", "d");
    private static final Map<String, SiteSignature> SITES =
            BEFORE.stream().collect(Collectors.toMap(site -> site, ChangeTest::certified));

    /** A certificate for a name, which the authority makes with any key that it likes. */
    private static SiteSignature certified(String site) {
        return new SiteSignature(AUTHORITY.issue(site, NOW, Duration.ofDays(1)).credentials());
    }

    private static Map<String, String> pins(List<String> sites, Map<String, SiteSignature> keys) {
        return sites.stream()
                .collect(Collectors.toMap(
                        site -> site,
                        site -> KeyPin.of(keys.get(site).credentials().certificate())
                                .sha256()));
    }

    private static Change change(List<String> sites, Map<String, String> keys) {
        return new Change(
                "run-2",
                "run-1",
                "network",
                BEFORE,
                sites,
                List.of("a b"),
                Map.of(),
                keys,
                pins(BEFORE, SITES),
                "",
                Change.COLD);
    }

    private static Change change(String... sites) {
        return change(List.of(sites), pins(List.of(sites), SITES));
    }

    private static Signed consent(String site, SiteSignature by) {
        return Signed.by(by, new Consent(site, true, "run-1", "network"));
    }

    @Test
    void consentToLeaveIsBelievedOnlyWithTheKeyThatWasPinnedBefore() {
        ChangeFile change = ChangeFile.of(change("a", "b", "c"));
        SiteSignature a = SITES.get("a");
        assertThatThrownBy(() -> change.requireConsent(a)).hasMessageContaining("site d has not consented");
        assertThatCode(() ->
                        change.withConsent("d", consent("d", SITES.get("d"))).requireConsent(a))
                .doesNotThrowAnyException();
        assertThatThrownBy(() ->
                        change.withConsent("d", consent("d", certified("d"))).requireConsent(a))
                .hasMessageContaining("the name of site d");
        assertThatThrownBy(() -> change.withConsent("d", consent("d", a)).requireConsent(a))
                .hasMessageContaining("the name of site d");
    }

    /** A change that pins a key of the forger's own would make all that follows look genuine. */
    @Test
    void nobodyComesInThePlaceOfASiteThatStays() {
        List<String> sites = List.of("a", "b", "c");
        Map<String, SiteSignature> forged = Map.of("a", SITES.get("a"), "b", certified("b"), "c", SITES.get("c"));
        assertThatThrownBy(() -> change(sites, pins(sites, forged))).hasMessageContaining("gives site b another key");
        assertThatThrownBy(() -> change(sites, Map.of())).hasMessageContaining("pin those of all sites again");
    }

    @Test
    void whoIsLeftAsOneOfTwoConsentsByApprovingWithItsOwnKey() {
        SiteSignature a = SITES.get("a");
        ChangeFile change = ChangeFile.of(change("a", "b"))
                .withConsent("c", consent("c", SITES.get("c")))
                .withConsent("d", consent("d", SITES.get("d")))
                .approvedBy("a", a);
        assertThatThrownBy(() -> change.requireComplete(a)).hasMessageContaining("is not approved by b");
        assertThatThrownBy(() -> change.approvedBy("b", certified("b")).requireComplete(a))
                .hasMessageContaining("the name of site b");
        assertThatCode(() -> change.approvedBy("b", SITES.get("b")).requireComplete(a))
                .doesNotThrowAnyException();
    }
}
