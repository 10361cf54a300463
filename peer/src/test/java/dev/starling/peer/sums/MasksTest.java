package dev.starling.peer.sums;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.node.SumKind;
import dev.starling.node.SumRequest;
import dev.starling.node.SumWords;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Answers that were computed elsewhere (RFC 7748's keys, HKDF by hand, streams by openssl), and that masks cancel. */
class MasksTest {

    private static final HexFormat HEX = HexFormat.of();
    private static final SessionSecrets A =
            SessionSecrets.of(HEX.parseHex("77076d0a7318a57d3c16c17251b26645df4a2f92ebc0459a5ec2e7ee5e0b4a5b"));
    private static final SessionSecrets B =
            SessionSecrets.of(HEX.parseHex("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb"));
    private static final String PUBLIC_A = "37bf0c99a4b9e2031623ebbc4d0ac1a3798b69a28a34fb8f73755ef92855ee06";
    private static final String PUBLIC_B = "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f";
    private static final String SESSION = "61d4dfb6f436f6e7f0f7e629d8059101d0e8e2bcbf5780eef9dc057b09349e8d";

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void keysSessionsQuestionsAndStreamsHaveTheirKnownValues() {
        assertThat(HEX.formatHex(A.publicKey())).isEqualTo(PUBLIC_A);
        assertThat(HEX.formatHex(B.publicKey())).isEqualTo(PUBLIC_B);
        byte[] session = SumSession.id(new byte[][] {bytes("facts of a"), bytes("facts of b"), bytes("facts of c")});
        assertThat(HEX.formatHex(session)).isEqualTo(SESSION);
        byte[] pair = A.pairKey(session, B.publicKey());
        assertThat(HEX.formatHex(pair)).isEqualTo("aff95f16f8b2a6952d363577827e0992b4abde2de5130d11a7ce8b18a39c7cd0");
        assertThat(B.pairKey(session, A.publicKey())).isEqualTo(pair);
        byte[] question =
                new SumHistory(session).question(SumRequest.atPoint(SumKind.GRADIENT, 0, 1, new double[] {0}, 9, 1));
        assertThat(HEX.formatHex(question))
                .isEqualTo("7ea936ff50226865f51b6199c8088e90ddaea5100b3db5fcc6588602ecb3471e");
        byte[] key = Masks.key(pair, 1, 0, new byte[][] {A.publicKey(), B.publicKey()}, question);
        assertThat(HEX.formatHex(key)).isEqualTo("4dee8abfb006ddaff20c5581ad43a0ca3290859bcd2ccf4c9b73553803c3f33c");
        assertThat(HEX.formatHex(Masks.stream(key).update(new byte[48])))
                .isEqualTo("13f2c86211a8813d42949bc79de2cded5e47d2bf42802090"
                        + "55029c493b7caba047b07ec6ee972d0f4d0264014de423e8");
    }

    /** The first of two sites adds the stream, taken 48 bits at a time, lowest first. */
    @Test
    void theStreamIsAddedAsWords() {
        byte[] session = HEX.parseHex(SESSION);
        byte[][] keys = {A.publicKey(), B.publicKey()};
        byte[] question =
                new SumHistory(session).question(SumRequest.atPoint(SumKind.GRADIENT, 0, 1, new double[] {0}, 9, 1));
        double[] words = new double[8];
        new Masks(0, keys, new byte[][] {{}, A.pairKey(session, keys[1])}).apply(question, words);
        double[] expected = {
            0xa81162c8f213L, 0xc79b94423d81L, 0x475eedcde29dL, 0x90208042bfd2L,
            0x7c3b499c0255L, 0xc67eb047a0abL, 0x024d0f2d97eeL, 0xe823e44d0164L
        };
        assertThat(words).isEqualTo(expected);
    }

    @Test
    void masksOfAllSitesCancelAndThoseOfSomeDoNot() {
        Random random = new Random(1);
        int sites = 5;
        byte[] session = HEX.parseHex(SESSION);
        SessionSecrets[] secrets = new SessionSecrets[sites];
        byte[][] publicKeys = new byte[sites][];
        for (int k = 0; k < sites; k++) {
            secrets[k] = SessionSecrets.random();
            publicKeys[k] = secrets[k].publicKey();
        }
        double[] plain = new double[4 * 3000];
        double[] sum = new double[plain.length];
        double[] allButOne = new double[plain.length];
        for (int k = 0; k < sites; k++) {
            byte[][] pairs = new byte[sites][];
            for (int other = 0; other < sites; other++) {
                pairs[other] = other == k ? new byte[0] : secrets[k].pairKey(session, publicKeys[other]);
            }
            double[] words =
                    random.doubles(plain.length, 0, 0x1p48).map(Math::floor).toArray();
            SumWords.add(plain, words, 0, words.length);
            new Masks(k, publicKeys, pairs).apply(new byte[32], words);
            SumWords.add(sum, words, 0, words.length);
            if (k > 0) {
                SumWords.add(allButOne, words, 0, words.length);
            }
        }
        assertThat(sum).isEqualTo(plain);
        int equal = 0;
        for (int k = 0; k < plain.length; k++) {
            equal += allButOne[k] == plain[k] ? 1 : 0;
        }
        assertThat(equal).isLessThan(3);
    }

    /** Everything that a sum depends on is in its mask. */
    @Test
    void theQuestionDependsOnHistoryPointKindStrideClassAndLength() {
        byte[] session = HEX.parseHex(SESSION);
        SumRequest asked = SumRequest.atPoint(SumKind.GRADIENT, 0, 8, new double[] {1, 2}, 9, 3);
        SumHistory one = new SumHistory(session);
        SumHistory later = new SumHistory(session);
        later.add(later.question(asked), new double[] {0, 3, 0, 0, 0, 1});
        SumHistory other = new SumHistory(session);
        other.add(other.question(asked), new double[] {0, 3, 0, 0, 0, 1.5});
        byte[][] questions = {
            one.question(asked),
            later.question(asked),
            other.question(asked),
            one.question(SumRequest.atPoint(SumKind.HESSIAN, 0, 8, new double[] {1, 2}, 9, 3)),
            one.question(SumRequest.atPoint(SumKind.GRADIENT, 1, 8, new double[] {1, 2}, 9, 3)),
            one.question(SumRequest.atPoint(SumKind.GRADIENT, 0, 1, new double[] {1, 2}, 9, 3)),
            one.question(SumRequest.atPoint(SumKind.GRADIENT, 0, 8, new double[] {1, Math.nextUp(2)}, 9, 3)),
            one.question(SumRequest.atPoint(SumKind.GRADIENT, 0, 8, new double[] {1, 2}, 9, 4))
        };
        assertThat(Arrays.stream(questions).map(HEX::formatHex).distinct()).hasSize(questions.length);
        assertThat(later.heading()).isNotEqualTo(other.heading());
        assertThat(later.heading()[0]).isEqualTo(2);
    }

    @Test
    void aKeyOfSmallOrderIsRefused() {
        for (int first : new int[] {0, 1}) {
            byte[] weak = new byte[32];
            weak[0] = (byte) first;
            assertThatRefused(() -> A.pairKey(new byte[32], weak)).hasMessageContaining("session key");
        }
    }

    @Test
    void secretsAreNotShown() {
        assertThat(A).hasToString("SessionSecrets");
    }
}
