package dev.starling.peer.trust;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrintableTest {

    @Test
    void removesControlSequences() {
        assertThat(Printable.of("\u001b[2Jgone\u0007\u009b31m\u007f\r\n")).isEqualTo("?[2Jgone??31m???");
    }

    @Test
    void removesCharactersThatHideOrReorderText() {
        assertThat(Printable.of("a\u202eb\u200bc\u2028d\ufeffe\ud800f")).isEqualTo("a?b?c?d?e?f");
    }

    @Test
    void keepsNamesInAnyScriptAndShortensThem() {
        assertThat(Printable.of("Krankenhaus Zürich 病院 №1")).isEqualTo("Krankenhaus Zürich 病院 №1");
        assertThat(Printable.of("abcdef", 3)).isEqualTo("abc…");
    }
}
