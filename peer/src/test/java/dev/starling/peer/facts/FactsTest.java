package dev.starling.peer.facts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.data.InvalidInputException;
import dev.starling.problem.NodeFacts;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FactsTest {

    private static SiteShape shape(String version, double lambda, Double... labels) {
        return new SiteShape(
                version, "logistic", "auto", lambda, 1, 1e-6, 1000, 0, 0, 10, 40, 5, List.of(labels), "fingerprint");
    }

    private static SiteMeasures measures(double step, double link) {
        return new SiteMeasures(new NodeFacts(10, 10.5, 0.1, 12, 1.1, 7, 3), step, link);
    }

    @Test
    void shouldComeBackFromBytesBitForBit() throws Exception {
        SiteShape shape = shape("v", 1e-4 / 3, -1.0, 1.0);
        assertThat(SiteShape.decode(shape.encode())).isEqualTo(shape);
        SiteMeasures measures = measures(0.1 + 0.2, 1.0 / 3);
        assertThat(SiteMeasures.decode(measures.encode())).isEqualTo(measures);
    }

    @Test
    void shouldNameBothSitesThatDisagree() {
        List<String> sites = List.of("a", "b", "c");
        assertThatThrownBy(() -> SiteShape.requireAgreement(
                        sites, List.of(shape("v", 1, 0.0), shape("v", 1, 0.0), shape("v", 2, 0.0))))
                .isInstanceOf(InvalidInputException.class)
                .hasMessage("site a has lambda 1.0, site c 2.0; it must be the same at all sites");
        assertThatThrownBy(() -> SiteShape.requireAgreement(
                        sites, List.of(shape("v", 1, 0.0), shape("w", 1, 0.0), shape("v", 1, 0.0))))
                .hasMessage("site a has version v, site b w; it must be the same at all sites");
        SiteShape adfs =
                new SiteShape("v", "logistic", "adfs", 1, 1, 1e-6, 1000, 0, 0, 10, 40, 5, List.of(0.0), "fingerprint");
        assertThatThrownBy(
                        () -> SiteShape.requireAgreement(sites, List.of(shape("v", 1, 0.0), shape("v", 1, 0.0), adfs)))
                .hasMessage("site a has method auto, site c adfs; it must be the same at all sites");
        assertThatThrownBy(() -> SiteShape.commonLabels(
                        sites, List.of(shape("v", 1, -1.0, 1.0), shape("v", 1, 0.0, 1.0), shape("v", 1, 1.0))))
                .hasMessage("site a has labels [-1.0, 1.0], site b [0.0, 1.0]; labels must mean the same everywhere "
                        + "(list them under training.labels at all sites)");
    }

    @Test
    void shouldLetASiteHoldOnlySomeOfTheClasses() {
        assertThat(SiteShape.commonLabels(List.of("a", "b"), List.of(shape("v", 1, 1.0), shape("v", 1, 0.0, 1.0))))
                .containsExactly(0.0, 1.0);
    }

    @Test
    void shouldAgreeOnTheSlowestLinkInUnitsOfTheSlowestStepToTwoDigits() {
        assertThat(SiteMeasures.agreedTau(List.of(measures(0.5, 100), measures(0.25, 123.4))))
                .isEqualTo(250);
        assertThat(SiteMeasures.agreedTau(List.of(measures(3, 10)))).isEqualTo(3.3);
        assertThat(SiteMeasures.agreedTau(List.of(measures(50, 10)))).isEqualTo(1);
    }

    @Test
    void shouldBelieveTheFirstWordAboutASite() {
        FactBook book = new FactBook(0, 2);
        assertThat(book.hear(1, 1, shape("v", 1).encode())).isTrue();
        assertThat(book.hear(1, 1, shape("v", 2).encode())).isTrue();
        assertThat(book.shape(1).lambda()).isEqualTo(1);
    }

    @Test
    void shouldNoticeThatOthersKnowItDifferently() {
        FactBook book = new FactBook(0, 2);
        book.publish(shape("v", 1));
        assertThat(book.hear(0, 1, shape("v", 1).encode())).isTrue();
        assertThat(book.contradiction()).isEmpty();
        book.hear(0, 1, shape("v", 2).encode());
        assertThat(book.contradiction())
                .get()
                .asString()
                .isEqualTo("the other sites know this site with other settings or data from before it was restarted; "
                        + "restore them, or start a new run under another name at all sites");
    }

    @Test
    void shouldRefuseNotesThatMakeNoSense() {
        FactBook book = new FactBook(0, 2);
        byte[] good = shape("v", 1).encode();
        assertThat(book.hear(2, 1, good)).isFalse();
        assertThat(book.hear(-1, 1, good)).isFalse();
        assertThat(book.hear(1, 3, good)).isFalse();
        assertThat(book.hear(1, 2, new byte[0])).isFalse();
        Random random = new Random(1);
        for (int k = 0; k < 1000; k++) {
            byte[] noise = new byte[random.nextInt(100)];
            random.nextBytes(noise);
            book.hear(1, 1 + random.nextInt(2), noise);
        }
        assertThat(book.missing(false)).contains(1);
    }

    @Test
    void shouldKnowTheSameAfterARestart() throws Exception {
        FactBook book = new FactBook(0, 2);
        book.publish(shape("v", 1));
        book.publish(measures(1, 2));
        book.hear(1, 1, shape("v", 1).encode());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        book.save(new DataOutputStream(bytes));
        FactBook again = new FactBook(0, 2);
        again.restore(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
        assertThat(again.shapes()).isEqualTo(book.shapes());
        assertThat(again.missing(false)).containsExactly(1);
    }
}
