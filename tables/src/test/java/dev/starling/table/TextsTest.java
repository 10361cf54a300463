package dev.starling.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TextsTest {

    @Test
    void textIsThatOfTheBytesHoweverManyShareASlot() {
        Texts texts = new Texts();
        Random random = new Random(1);
        String[] letters = {"a", "b", "0", "é", "ß", "€", "\uD83D\uDE00", " ", "\"\""};
        for (int k = 0; k < 200_000; k++) {
            StringBuilder cell = new StringBuilder();
            int length = random.nextInt(40);
            for (int i = 0; i < length; i++) {
                cell.append(letters[random.nextInt(random.nextInt(letters.length) + 1)]);
            }
            byte[] bytes = ("," + cell + ",").getBytes(StandardCharsets.UTF_8);
            assertThat(texts.of(bytes, 1, bytes.length - 1)).isEqualTo(cell.toString());
        }
    }

    @Test
    void aTextDoesNotChangeWithTheBytesItWasMadeOf() {
        Texts texts = new Texts();
        byte[] bytes = "north".getBytes(StandardCharsets.UTF_8);
        String first = texts.of(bytes, 0, 5);
        assertThat(texts.of(bytes, 0, 5)).isSameAs(first);
        Arrays.fill(bytes, (byte) 'x');
        assertThat(first).isEqualTo("north");
        assertThat(texts.of(bytes, 0, 5)).isEqualTo("xxxxx");
        assertThat(texts.of("north".getBytes(StandardCharsets.UTF_8), 0, 5)).isEqualTo("north");
    }
}
