package dev.starling.peer.bulletin;

import static dev.starling.support.Refusals.assertThatRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.loss.Logistic;
import dev.starling.peer.wire.GivingUp;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import dev.starling.support.SavedStates;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BulletinTest {

    private static final Settings SETTINGS = Settings.of(new Logistic());

    private final List<String> givenUp = new ArrayList<>();

    private Bulletin bulletin() {
        return new Bulletin(
                0, 2, (site, reason, objection, gone) -> givenUp.add(site + " " + reason + " " + objection));
    }

    private static Presence presence(Settings settings) {
        return new Presence(settings.toMap(), "00ff");
    }

    private static Presence presence(double lambda) {
        return presence(SETTINGS.with(Setting.LAMBDA, lambda));
    }

    private static byte[] givingUp(int number, String reason) {
        return GivingUp.newBuilder()
                .setNumber(number)
                .setReason(reason)
                .setObjection(true)
                .build()
                .toByteArray();
    }

    @Test
    void notesAreDecodedAsTheyWereEncoded() throws Exception {
        Presence presence = presence(1e-4 / 3);
        assertThat(Presence.decode(presence.encode())).isEqualTo(presence);
        assertThat(Settings.of(Presence.decode(presence.encode()).settings()))
                .isEqualTo(SETTINGS.with(Setting.LAMBDA, 1e-4 / 3));
    }

    /** A total has an addend of every site, so that nobody can have more of them than this site has added to. */
    @Test
    void aLedgerThatEndsBeforeANeighboursTotalsWasRestored() {
        Bulletin bulletin = bulletin();
        bulletin.count(() -> 3, () -> 4);
        assertThat(bulletin.counted()).isEmpty();
        assertThat(bulletin.hear(1, 7, new byte[] {0, 0, 0, 0, 0, 0, 0, 4})).isTrue();
        assertThat(bulletin.contradiction()).isEmpty();
        assertThat(bulletin.counted()).containsExactly(1);
        assertThat(bulletin.hear(1, 7, new byte[] {5})).isFalse();
        assertThat(bulletin.hear(1, 7, new byte[] {0, 0, 0, 0, 0, 0, 0, 5})).isTrue();
        assertThat(bulletin.contradiction().orElseThrow())
                .contains("restored from an older copy", "ends with sum 4", "the total of sum 5");
    }

    @Test
    void namesBothSitesThatDisagree() {
        List<String> sites = List.of("a", "b", "c");
        Presence usual = presence(SETTINGS);
        assertThatRefused(() -> Presence.requireAgreement(sites, List.of(presence(1), presence(1), presence(2))))
                .hasMessage("site a has lambda 1.0, site c 2.0; it must be the same at all sites");
        assertThatThrownBy(() -> Presence.requireAgreement(
                        sites, List.of(usual, usual, presence(SETTINGS.with(Setting.METHOD, "adfs")))))
                .hasMessage("site a has method auto, site c adfs; it must be the same at all sites");
        assertThatThrownBy(() -> Presence.requireAgreement(
                        sites, List.of(usual, presence(SETTINGS.with(Setting.LABELS, List.of(0.0, 1.0))), usual)))
                .hasMessage("site a has labels unset, site b 0.0,1.0; it must be the same at all sites");
    }

    @Test
    void keepsTheFirstNoteOfASite() {
        Bulletin bulletin = bulletin();
        assertThat(bulletin.hear(1, 1, presence(1).encode())).isTrue();
        assertThat(bulletin.hear(1, 1, presence(2).encode())).isTrue();
        assertThat(bulletin.presence(1)).isEqualTo(presence(1));
    }

    @Test
    void noticesThatOtherSitesRememberAnotherNote() {
        Bulletin bulletin = bulletin();
        bulletin.publish(presence(1));
        assertThat(bulletin.hear(0, 1, presence(1).encode())).isTrue();
        assertThat(bulletin.contradiction()).isEmpty();
        bulletin.hear(0, 1, presence(2).encode());
        assertThat(bulletin.contradiction())
                .get()
                .asString()
                .isEqualTo(
                        "the other sites remember this site with different settings or data from before its restart; "
                                + "restore those, or start a new run under another name at all sites");
    }

    @Test
    void reportsOnceWhyASiteGaveUpAndAgainWhenItGivesUpAgain() {
        Bulletin bulletin = bulletin();
        for (int time = 0; time < 2; time++) {
            assertThat(bulletin.hear(1, 2, givingUp(3, "no rows"))).isTrue();
            assertThat(bulletin.hear(1, 2, givingUp(2, "before that"))).isTrue();
        }
        bulletin.hear(1, 2, givingUp(4, "no disk"));
        assertThat(givenUp).containsExactly("1 no rows true", "1 no disk true");
    }

    @Test
    void refusesInvalidNotes() {
        Bulletin bulletin = bulletin();
        byte[] good = presence(1).encode();
        assertThat(bulletin.hear(2, 1, good)).isFalse();
        assertThat(bulletin.hear(-1, 1, good)).isFalse();
        assertThat(bulletin.hear(1, 3, good)).isFalse();
        assertThat(bulletin.hear(1, 1, new byte[0])).isFalse();
        assertThat(bulletin.hear(1, 2, givingUp(0, "x".repeat(5000)))).isFalse();
        Random random = new Random(1);
        for (int k = 0; k < 1000; k++) {
            byte[] noise = new byte[random.nextInt(100)];
            random.nextBytes(noise);
            bulletin.hear(1, 1 + random.nextInt(2), noise);
        }
        assertThat(bulletin.missing()).contains(1);
    }

    @Test
    void isTheSameAfterARestart() throws Exception {
        Bulletin bulletin = new Bulletin(0, 3, (site, reason, objection, gone) -> {});
        bulletin.publish(presence(1));
        bulletin.hear(1, 1, presence(2).encode());
        Bulletin again = SavedStates.copy(bulletin, new Bulletin(0, 3, (site, reason, objection, gone) -> {}));
        assertThat(again.present()).containsExactly(0, 1);
        assertThat(again.missing()).containsExactly(2);
        assertThat(again.presence(0)).isEqualTo(presence(1));
        assertThat(again.presence(1)).isEqualTo(presence(2));
    }
}
