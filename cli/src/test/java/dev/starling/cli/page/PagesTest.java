package dev.starling.cli.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.cli.Chromium;
import dev.starling.cli.Cli;
import dev.starling.model.LinearModel;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages of show, evaluate and describe in a real browser, as narrow as a phone; skipped where there is none. */
class PagesTest {

    @TempDir
    private Path folder;

    private Path file(String name) {
        return folder.resolve(name);
    }

    private static void ok(Cli run) {
        assertThat(run.code()).as(run.err()).isZero();
    }

    private void train(String formula, String options, String model) {
        ok(Cli.run("train", file("people.csv"), "--formula", formula, "--quiet " + options, "--model", file(model)));
    }

    @Test
    void pagesFitAPhoneAndTheirScriptsRun() throws Exception {
        ok(Cli.run("generate", file("people.csv"), "--table --rows 300"));
        train("income ~ age + sex + education", "--cv 3 --l1-ratios 0.9", "path.json");
        train("income ~ age", "--lambda 1e-3", "small.json");
        train("education ~ age", "--loss softmax --lambda 1e-3", "classes.json");
        train("age ~ sex + education", "--loss squared", "number.json");
        ok(Cli.run("show", file("path.json"), "--page", file("path.html")));
        ok(Cli.run("show", file("classes.json"), "--page", file("classes.html")));
        ok(Cli.run("describe", file("people.csv"), "--page", file("describe.html")));
        ok(Cli.run("evaluate", file("small.json"), file("people.csv"), "-q --by sex --page", file("one.html")));
        ok(Cli.run(
                "evaluate", file("small.json"), file("path.json"), file("people.csv"), "-q --page", file("two.html")));
        ok(Cli.run("evaluate", file("classes.json"), file("people.csv"), "-q --page", file("several.html")));
        ok(Cli.run("evaluate", file("number.json"), file("people.csv"), "-q --page", file("number.html")));
        try (Chromium browser = new Chromium(folder, 400, 900)) {
            for (String page : List.of("path", "classes", "describe", "one", "two", "several", "number")) {
                browser.open(file(page + ".html").toUri());
                browser.await("document.querySelector('footer') && document.querySelector('h1').textContent");
                assertThat(browser.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))
                        .as("%s fits", page)
                        .isEqualTo("true");
                assertThat(browser.complaints()).as(page).isEmpty();
            }
            browser.open(file("path.html").toUri());
            browser.await("document.querySelectorAll('#plots svg circle').length");
            assertThat(browser.evaluate("document.querySelectorAll('#plots svg circle').length"))
                    .isEqualTo(
                            String.valueOf(LinearModel.load(file("path.json")).nonZeros()));
            theSliderMovesTheConfusionMatrix(browser);
        }
    }

    private void theSliderMovesTheConfusionMatrix(Chromium browser) throws Exception {
        browser.open(file("one.html").toUri());
        browser.await("document.querySelector('#threshold td')");
        String cells = "[...document.querySelectorAll('#threshold td')].map(cell => cell.textContent).join(' ')";
        String usual = browser.evaluate(cells);
        assertThat(atThreshold(browser, "max", cells)).isNotEqualTo(usual).matches("<=50K (\\d+) 0 >50K (\\d+) 0");
        assertThat(atThreshold(browser, "min", cells)).isNotEqualTo(usual).matches("<=50K 0 (\\d+) >50K 0 (\\d+)");
    }

    private static String atThreshold(Chromium browser, String end, String cells) throws Exception {
        browser.evaluate("(() => { const slider = document.querySelector('#threshold input'); slider.value = slider."
                + end + "; slider.dispatchEvent(new Event('input')); })()");
        return browser.evaluate(cells);
    }
}
