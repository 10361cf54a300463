package dev.starling.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.cli.Cli;
import dev.starling.support.Browser;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of a comparison, in a real browser where there is one. */
@Tag("thorough")
class ComparisonPageTest {

    @TempDir
    private static Path folder;

    private static Path page;

    private static final String THEOREM_1 = "u-label\">Theorem 1 without its constant<";

    @BeforeAll
    static void makePage() {
        Path data = folder.resolve("<script>&.txt");
        page = folder.resolve("page.html");
        Cli.run("generate", data, "--rows 200 --features 5");
        Cli.ok(
                "compare",
                data,
                "--nodes 6 --topology grid --lambda 1e-2 --algorithms adfs,msda,dsba --seed 1,2 --gap 1e-3",
                "--report",
                page,
                "-q");
    }

    @Test
    void thePageNeedsNoNetwork() throws IOException {
        // A name of SVG's, and where uPlot comes from, in a comment: neither is an address that a browser asks.
        assertThat(Files.readString(page)
                        .replace("http://www.w3.org/2000/svg", "")
                        .replace("/*! https://github.com/leeoniya/uPlot (v1.6.32) */", ""))
                .doesNotContain("http:", "https:", "@import", "<script src");
    }

    @Test
    void dataIsEscapedInThePage() throws IOException {
        String text = Files.readString(page);
        assertThat(text.split("</script>", -1)).hasSize(5);
        assertThat(text).contains("\\u003cscript>&.txt");
    }

    @Test
    void theBrowserShowsEveryCurveAndNodeWithoutErrors() throws IOException, InterruptedException {
        Browser seen = Browser.browse(folder, page.toUri(), "--dump-dom");
        assertThat(seen.out()).contains("u-label\">adfs<", "u-label\">msda<", "u-label\">dsba<", THEOREM_1);
        assertThat(seen.out().split("<title>node ", -1)).hasSize(7);
        assertThat(seen.out()).contains("style=\"color: var(--s1); font-weight: 600;\">msda</td>");
        assertThat(seen.out()).contains("C_comm", "certified");
        assertThat(seen.complaints()).isEmpty();
    }

    @Test
    void everyCurveHasItsColour() throws IOException, InterruptedException {
        BufferedImage picture = screenshot();
        // Below the choice of axes and above the legend. Dotted curves have few pixels that are not blended with the
        // page.
        BufferedImage chart = picture.getSubimage(170, 215, 960, 390);
        for (int colour : new int[] {0x0072B2, 0xD55E00, 0x009E73}) {
            assertThat(Browser.pixels(chart, colour))
                    .as("pixels of colour %06X", colour)
                    .isGreaterThan(50);
        }
    }

    @Test
    void constantsNameTheMethodWithoutEmptyLines() throws IOException, InterruptedException {
        String seen = Browser.browse(folder, page.toUri(), "--dump-dom").out();
        assertThat(seen).contains("<p>The constants of adfs before its first step.</p><h3>network</h3>");
        assertThat(seen).doesNotContain("<td class=\"text\"></td>");
    }

    @Test
    void thePageFitsOnAPhone() throws IOException, InterruptedException {
        assertThat(Browser.onAPhone(folder, Files.readString(page))).contains("<p id=\"width\">width 390</p>");
    }

    @Test
    void lightAndDarkScreensShowDifferentPages() throws IOException, InterruptedException {
        int light = screenshot().getRGB(3, 3);
        int dark = screenshot("--force-dark-mode").getRGB(3, 3);
        assertThat(brightness(light)).isGreaterThan(200);
        assertThat(brightness(dark)).isLessThan(60);
    }

    @Test
    void theGridPageHasALineForEveryCombinationAndCurvesOfTheFirst() throws IOException, InterruptedException {
        Path grid = folder.resolve("grid.html");
        Cli.ok(
                "compare",
                folder.resolve("<script>&.txt"),
                "--nodes 4 --algorithms adfs,msda --gap 1e-3 --grid lambda=1e-1,1e-2 --grid deal=turns,labels",
                "--report",
                grid,
                "-q");
        Browser seen = Browser.browse(folder, grid.toUri(), "--dump-dom");
        assertThat(seen.out().split("<tr tabindex=", -1)).hasSize(5);
        assertThat(seen.out().split("class=\"best\"", -1)).hasSize(5);
        assertThat(seen.out())
                .contains("u-label\">adfs<", "u-label\">msda<", THEOREM_1, "lambda 0.1, tau 5</h2>", "<td>labels</td>");
        assertThat(seen.complaints()).isEmpty();
    }

    private static BufferedImage screenshot(String... more) throws IOException, InterruptedException {
        return Browser.picture(folder, page.toUri(), 1280, 900, more);
    }

    private static int brightness(int rgb) {
        return ((rgb >> 16 & 255) + (rgb >> 8 & 255) + (rgb & 255)) / 3;
    }
}
