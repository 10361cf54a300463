package dev.starling.cli.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.cli.Cli;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code glm} with several classes. */
class ClassesOfGlmTest {

    @TempDir
    private Path folder;

    private Path answers() {
        return Cli.file(
                folder,
                "answers.csv",
                "answer,x",
                "low,1",
                "low,2",
                "mid,2",
                "mid,4",
                "high,3",
                "high,5",
                "mid,3",
                "low,3",
                "high,4",
                "low,1",
                "mid,1",
                "high,2");
    }

    /** R: polr(factor(answer, levels = c("low", "mid", "high")) ~ x, Hess = TRUE). */
    @Test
    void classesInOrderHaveTheTableOfR() {
        Cli found = Cli.ok("glm", answers(), "answer~x", "--family ordinal --levels answer=low,mid,high --json");
        assertThat(found.number("estimate")).isCloseTo(0.9965, within(5e-5));
        assertThat(found.number("se")).isCloseTo(0.5263, within(5e-5));
        assertThat(found.out())
                .contains("\"name\":\"low|mid\"", "\"name\":\"mid|high\"")
                .doesNotContain("\"class\"");
    }

    /** Once in the order of the alphabet, high to mid, in which the model of train would have been another. */
    @Test
    void trainingPutsClassesInTheOrderThatIsAskedForToo() {
        String formula = "--formula answer~x --loss ordinal --lambda 0 --standard-errors model --model " + folder;
        Cli trained = Cli.ok("train", answers(), formula + "/m.json --levels answer=low,mid,high");
        assertThat(trained.out()).contains("proportional odds of answer: 3 classes (low, mid, high), in this order");
        assertThat(Cli.run("glm", folder.resolve("m.json"), "--json").number("estimate"))
                .isCloseTo(0.9965, within(5e-5));
        assertThat(Cli.ok("predict", folder.resolve("m.json"), answers()).err()).contains("accuracy");
        assertThat(Cli.ok("evaluate", folder.resolve("m.json"), answers()).out())
                .contains("log loss");
        Cli unordered = Cli.ended(2, "train", answers(), formula + "/n.json");
        assertThat(unordered.err()).contains("have no order of their own").hasLineCount(1);
        Cli others = Cli.ended(2, "train", answers(), formula + "/n.json --levels answer=low,high");
        assertThat(others.err()).contains("low,high of label column 'answer' are not its classes high,low,mid");
        Cli study = Cli.ended(
                2,
                "study",
                "propose",
                answers(),
                "--formula answer~x --loss ordinal --lambda 0 -o " + folder.resolve("study.yaml"));
        assertThat(study.err()).contains("have no order of their own");
    }

    @Test
    void wordsHaveNoOrderOfTheirOwn() {
        Cli found = Cli.ended(2, "glm", answers(), "answer~x", "--family ordinal");
        assertThat(found.err()).contains("are words, which have no order of their own", "--levels answer=high,low,mid");
        Cli.ok("glm", answers(), "answer~x", "--family ordinal --levels answer=high,low,mid");
    }

    /** A feature that is the same for all leaves the logarithms of the classes' ratios. */
    @Test
    void everyClassButTheFirstHasItsCoefficients() {
        Path groups = Cli.file(
                folder, "groups.csv", "c,g", "a,0", "a,0", "b,0", "c,0", "a,1", "b,1", "b,1", "c,1", "c,1", "c,1");

        Cli found = Cli.ok("glm", groups, "c~g", "--family multinomial --json");
        assertThat(found.out())
                .contains("{\"name\":\"(Intercept)\",\"class\":\"b\"", "{\"name\":\"g\",\"class\":\"c\"");
        assertThat(found.number("estimate")).isCloseTo(Math.log(0.5), within(1e-10));
        Cli ofC = new Cli(0, found.out().substring(found.out().indexOf("{\"name\":\"g\",\"class\":\"c\"")), "");
        assertThat(ofC.number("estimate")).isCloseTo(Math.log(6), within(1e-10));
    }

    @Test
    void whatSeveralClassesDoNotHaveIsRefused() {
        Cli found = Cli.ended(2, "glm", answers(), "answer~x", "--family multinomial --robust HC0");
        assertThat(found.err()).contains("--robust").hasLineCount(1);
    }
}
