package dev.starling.peer.membership;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a change may say about the sites that stay. */
class ChangeTest {

    private static final List<String> BEFORE = List.of("a", "b", "c", "d");
    private static final Map<String, String> PINS = Map.of("a", "1", "b", "2", "c", "3", "d", "4");

    private static Change change(Map<String, String> keys) {
        List<String> sites = List.of("a", "b", "c");
        return new Change(
                "run-2", "run-1", "", BEFORE, sites, List.of("a b", "b c"), Map.of(), keys, PINS, "", Change.COLD);
    }

    /** Whoever keeps the authority makes a certificate for b with a key of its own, and has a change pin that. */
    @Test
    void nobodyComesInThePlaceOfASiteThatStays() {
        assertThatCode(() -> change(Map.of("a", "1", "b", "2", "c", "3"))).doesNotThrowAnyException();
        assertThatThrownBy(() -> change(Map.of("a", "1", "b", "5", "c", "3")))
                .hasMessageContaining("gives site b another key");
        assertThatThrownBy(() -> change(Map.of("a", "1", "b", "2"))).hasMessageContaining("must pin those of all");
        assertThatThrownBy(() -> change(Map.of())).hasMessageContaining("pin those of all sites again");
    }
}
