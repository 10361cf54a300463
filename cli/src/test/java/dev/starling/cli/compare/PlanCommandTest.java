package dev.starling.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanCommandTest {

    private static final double LN10 = 2.302585092994046;

    @TempDir
    private Path folder;

    @Test
    void givenNumbersYieldTheTimesOfTheTheorems() {
        // A complete graph has γ = 1; m = 100, κ_s = 400, κ_b = 25.
        Cli cli = Cli.ok("plan", "--rows 400 --kappa 400 --kappa-batch 25 --tau 2 --nodes 4 --json");
        assertThat(cli.number("gamma")).isCloseTo(1, within(1e-9));
        assertThat(cli.number("msda")).isCloseTo(5 * 102 * LN10, within(1e-6));
        assertThat(cli.out()).contains("\"msda\":\"worst case");
        assertThat(cli.number("dsba")).isCloseTo(501 * 3 * LN10, within(1e-6));
        assertThat(cli.number("adfs-local")).isGreaterThan(cli.number("adfs"));
        assertThat(cli.number("lowerBoundPerDigit")).isCloseTo(310 * LN10, within(1e-6));
        assertThat(cli.number("balance")).isBetween(0.05, 1.0);
        assertThat(cli.number("communicationProbability")).isBetween(0.0, 0.5);
    }

    @Test
    void numbersAreTakenFromAFile() {
        Path data = folder.resolve("data.txt");
        Cli.run("generate", data, "--rows 200 --features 5");
        Cli cli = Cli.ok("plan", data, "--nodes 4 --topology ring --lambda 1e-2");
        assertThat(cli.out())
                .startsWith("200 samples on ring")
                .contains("lower bound", "p_comm", "best n", "critical n");
    }

    @Test
    void aSplitIsExplainedWhereMethodsStart() {
        Path data = folder.resolve("data.txt");
        Cli.run("generate", data, "--rows 200 --features 5");
        String options = "--nodes 4 --topology ring --lambda 1e-2 --deal sizes:1";
        assertThat(Cli.ok("plan", data, options, "--explain").out())
                .contains("nodes have 24 to 97 rows; the formulas are for nodes that have as many each\n")
                .contains("κ_g ", "κ_ℓ ", "κ_s ", "γ ", "χ₁ ", "χ₂ ", "ζ       |∇f_i − ∇f| at 0, largest")
                .contains("δ       |∇²f_i − their mean| at 0, largest", "C_comm");
        assertThat(Cli.ok("plan", data, options).out())
                .contains("24 to 97 rows")
                .doesNotContain("χ₁");
        assertThat(Cli.ok("plan", data, "--nodes 3 --topology ring --lambda 1e-2")
                        .out())
                .doesNotContain("nodes have");
        assertThat(Cli.ok("plan", data, options, "--explain --json").out())
                .contains("\"explanation\":{\"network\":{\"nodes\":")
                .containsPattern(
                        "\"split\":\\{\"globalConditioning\":\\{.*\"averageSimilarity\":\\{.*\"value\":[0-9.]+");
    }

    @Test
    void thePictureShowsTimeAgainstNodes() throws IOException {
        Path picture = folder.resolve("plan.svg");
        Cli.ok("plan", "--rows 1000 --kappa 400 --nodes 9 --topology grid --svg", picture);
        assertThat(Files.readString(picture)).contains("nodes n", ">lower bound</text>", ">adfs</text>");
    }

    @Test
    void whatTheFormulasDoNotHoldForIsRefusedWithWhatPlanCanDo() {
        Path data = folder.resolve("data.txt");
        Cli.run("generate", data, "--rows 200 --features 5");
        String formulas = ", for which the formulas of Table 1 do not hold; ";
        refused(
                "--lambda 0 leaves nothing regularised" + formulas + "give --lambda a positive value",
                "plan",
                data,
                "--lambda 0");
        refused(
                "--loss softmax has no bound on its curvature" + formulas
                        + "use a loss of bounded curvature, such as logistic or squared",
                "plan",
                data,
                "--loss softmax");
        Cli.ok("plan", data, "--lambda 1e-9 --loss squared");
    }

    private static void refused(String line, Object... options) {
        Cli cli = Cli.run(options);
        assertThat(cli.err()).isEqualTo("starling: " + line + "\n");
        assertThat(cli.code()).isEqualTo(2);
    }

    @Test
    void badInputIsReportedInOneLine() {
        refused("there is nothing to plan; give a FILE, or both --rows and --kappa", "plan");
        refused("there is nothing to plan; give a FILE, or both --rows and --kappa", "plan", "--rows 5");
        refused("a.txt and --kappa both say what the data are; give one of them", "plan", "a.txt", "--kappa 5");
        refused(
                "--deal labels is about the rows of a file; give a FILE instead of --rows and --kappa",
                "plan",
                "--rows 100 --kappa 5 --deal labels");
        refused(
                "--explain is about the rows of a file; give a FILE instead of --rows and --kappa",
                "plan",
                "--rows 100 --kappa 5 --explain");
        refused("--kappa 0.5 must be 1.0 or more, and finite", "plan", "--rows 100 --kappa 0.5 --nodes 2");
        refused("--tau -2 must be 0 or more, and finite", "plan", "--rows 100 --kappa 5 --tau -2");
    }
}
