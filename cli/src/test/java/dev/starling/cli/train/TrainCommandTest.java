package dev.starling.cli.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.starling.cli.Cli;
import dev.starling.model.LinearModel;
import dev.starling.network.GraphRecipe;
import dev.starling.settings.Setting;
import dev.starling.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class TrainCommandTest {

    @TempDir
    private Path folder;

    private Path data;
    private Path model;

    @BeforeEach
    void generateRows() {
        data = folder.resolve("data.txt");
        model = folder.resolve("model.json");
        Cli.ok("generate", data, "--rows 400 --features 5");
    }

    private Cli train(Object... more) {
        List<Object> arguments = new ArrayList<>(List.of(
                "train", data, "--lambda", "1e-2", "--nodes", 4, "--topology", "grid", "--model", model, "--json"));
        arguments.addAll(List.of(more));
        return Cli.run(arguments.toArray());
    }

    @Test
    void jsonHasEveryKeyThatScriptsRelyOn() {
        Cli result = train("--gap 1e-6 --seed 1 --runtime threads");
        assertThat(result.code()).isZero();
        assertThat(result.out()).hasLineCount(1).startsWith("{").endsWith("}\n");
        for (String key : List.of("objective", "gap", "epochs", "idealisedTime", "seconds", "loadSeconds")) {
            assertThat(result.number(key)).as(key).isPositive();
        }
        assertThat(result.number("gap")).isLessThanOrEqualTo(1e-6);
        assertThat(result.value("certified")).isEqualTo("true");
        assertThat(result.value("nodes")).isEqualTo("4");
        assertThat(Long.parseLong(result.value("updates"))).isPositive();
        assertThat(Long.parseLong(result.value("rounds"))).isPositive();
        assertThat(result.number("latency")).isGreaterThan(result.number("rounds"));
        assertThat(result.value("modelHash")).matches("[0-9a-f]{64}");
    }

    @Test
    void thereIsOneNodeByDefaultAndAGraphHasFourButNeverMoreThanRows() {
        Path four = Cli.file(folder, "four.txt", "1 1:0.5", "-1 1:1", "1 2:0.3", "-1 2:-1", "1 1:2");
        assertThat(Cli.run("train", four, "--no-model --json").value("nodes")).isEqualTo("1");
        assertThat(Cli.run("train", four, "--no-model --topology ring --json").value("nodes"))
                .isEqualTo("4");
        Path three = Cli.file(folder, "three.txt", "1 1:0.5", "-1 1:1", "1 2:0.3");
        assertThat(Cli.run("train", three, "--no-model --topology ring --json").value("nodes"))
                .isEqualTo("3");
        assertThat(Cli.run("train", four, "--no-model --topology grid:1x2 --json")
                        .value("nodes"))
                .isEqualTo("2");
    }

    @Test
    void anotherSeedMakesAnotherModel() {
        assertThat(train("--method adfs --seed 1").value("modelHash"))
                .isNotEqualTo(train("--method adfs --seed 2").value("modelHash"));
    }

    @Test
    void thePrintedHashIsThatOfTheModelFile() {
        Cli result = train();
        assertThat(LinearModel.load(model).hash()).isEqualTo(result.value("modelHash"));
    }

    private Cli again(Path rows, Object... more) {
        List<Object> arguments = new ArrayList<>(List.of("train", rows, "--like", model, "--no-model", "--json"));
        arguments.addAll(List.of(more));
        return Cli.run(arguments.toArray());
    }

    @Test
    void trainingLikeAModelMakesItAgain() {
        Path graph = Cli.file(folder, "graph.txt", "paris lyon", "lyon nice 2.5", "nice metz");
        for (List<Object> options : List.<List<Object>>of(
                List.of("--c", 5, "--bias", 2, "--standardize", "--class-weight", "1=3", "--class-weight", "-1=2"),
                List.of("--intercept", "--lambda", 0.01, "--standardize"),
                List.of("--intercept", "--lambda", 0),
                List.of("--c", 2, "--class-weight", "balanced"),
                List.of("--method", "adfs", "--nodes", 12, "--topology", "erdos-renyi:0.3", "--seed", 9),
                List.of("--loss", "squared-hinge", "--l1", 0.01, "--gap", "1e-3", "--tau", 7, "--max-epochs", 500),
                List.of("--method", "adfs", "--graph", graph, "--gap", "1e-9"))) {
            List<Object> arguments = new ArrayList<>(List.of("train", data, "--model", model, "--json"));
            arguments.addAll(options);
            Cli first = Cli.ok(arguments.toArray());
            Cli second = again(data, "--runtime simulator");
            assertThat(second.value("modelHash")).as(options.toString()).isEqualTo(first.value("modelHash"));
            assertThat(second.value("network")).isEqualTo(first.value("network"));
            assertThat(second.value("targetGap")).isEqualTo(first.value("targetGap"));
            assertThat(second.err()).isEmpty();
        }
    }

    /** What a model's file keeps and no option of the same name can take from it. */
    private static final Map<String, String> WITHOUT_AN_OPTION = Map.of(
            "scaling", "--standardize",
            "class-weights", "--class-weight, which names classes as the rows do",
            "cv-columns", "--cv-groups, or the id columns",
            "heterogeneity", "sites, which a file of all rows knows nothing of",
            "curves", "survival --intervals",
            "proportional-hazards", "cox --proportional-hazards",
            "labels", "the labels of the rows");

    @Test
    void everySettingOfAModelHasTheOptionThatTrainingLikeItFills() {
        CommandLine.Model.CommandSpec train = new CommandLine(new TrainCommand()).getCommandSpec();
        assertThat(Setting.all().stream().map(Setting::name).filter(name -> train.findOption("--" + name) == null))
                .containsExactlyInAnyOrderElementsOf(WITHOUT_AN_OPTION.keySet());
    }

    @Test
    void optionsOverruleTheModelThatTrainingFollows() {
        Cli.run("train", data, "--model", model, "--intercept --lambda 0.01 --gap 1e-3 --seed 9 --holdout 0.2 -q");
        LinearModel other = LinearModel.load(model);
        Path next = folder.resolve("next.json");
        Cli.run("train", data, "--like", model, "--model", next, "--bias 2 --c 3 --seed 4 --max-seconds 60 -q");
        Settings settings = Settings.of(LinearModel.load(next).provenance().settings());
        assertThat(settings.bias()).isEqualTo(2);
        assertThat(settings.intercept()).isFalse();
        assertThat(settings.lambda()).isNotEqualTo(0.01);
        assertThat(settings.seed()).isEqualTo(4);
        assertThat(settings.maxSeconds()).isEqualTo(60);
        assertThat(settings.gap()).isEqualTo(1e-3);
        assertThat(settings.holdout()).isEqualTo(0.2);
        assertThat(settings.method()).isEqualTo(other.provenance().method());
    }

    @Test
    void withoutRegularisationItBoundsTheErrorOfCoefficients() {
        Path rows = Cli.file(
                folder,
                "doses.csv",
                "sick,dose,again,age",
                "0,1,1,30",
                "0,2,2,50",
                "1,3,3,40",
                "0,4,4,20",
                "1,5,5,60",
                "1,6,6,35",
                "0,7,7,55",
                "1,8,8,45");
        Cli json = Cli.ok("train", rows, "--label-column sick --intercept --lambda 0 --no-model --json");
        assertThat(json.number("coefficientError")).isBetween(0.0, 1e-6);
        assertThat(json.out()).contains("\"aliased\":[\"again\"]");
        Cli text = Cli.run("train", rows, "--label-column sick --intercept --lambda 0 --no-model");
        assertThat(text.out()).contains("standard errors, every coefficient").contains("aliased    again");
    }

    @Test
    void separatedClassesFailNamingTheColumn() {
        Path rows = Cli.file(
                folder,
                "doses.csv",
                "sick,dose,age",
                "0,1,30",
                "0,2,50",
                "1,3,40",
                "0,2,20",
                "1,5,60",
                "1,6,35",
                "0,1,55",
                "1,8,45");
        Cli failed = Cli.ended(1, "train", rows, "--label-column sick --intercept --lambda 0 --no-model");
        assertThat(failed.err())
                .contains("doses.csv: there is no best model without regularisation: the classes are told apart")
                .contains("dose")
                .contains("give --lambda a positive value");
    }

    @Test
    void optionsOverrideTheModelToTrainLike() {
        train("--method adfs --seed 5 --gap 1e-3");
        Cli other = again(data, "--nodes 9 --gap 1e-5 --seed 6");
        assertThat(other.value("network")).isEqualTo("grid 3x3");
        assertThat(other.value("targetGap")).isEqualTo("1.0E-5");
        assertThat(other.value("seed")).isEqualTo("6");
        assertThat(other.value("method")).isEqualTo("adfs");
        assertThat(other.value("lambda")).isEqualTo("0.01");
    }

    @Test
    void trainingLikeAModelOnOtherDataGetsANote() {
        train();
        Path others = folder.resolve("others.txt");
        Cli.run("generate", others, "--rows 300 --features 5 --seed 2");
        Cli result = again(others);
        assertThat(result.code()).isZero();
        assertThat(result.err()).isEqualTo(others + " is not the data that " + model + " was trained on\n");
    }

    @Test
    void aModelWithoutSettingsCannotBeTrainedLike() {
        model = folder.resolve("m.model");
        train();
        Cli result = again(data);
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.err())
                .contains("--like " + model + " does not say how it was trained; take a JSON model that this version");
    }

    @Test
    void withoutJsonItPrintsWhatWasTrainedFourNumbersAndWhereTheModelIs() {
        Cli result = Cli.run("train", data, "--nodes 2 --model", model);
        assertThat(result.out()).matches("""
                        logistic regression: 1 against -1
                        400 rows, 5 features; ridge, lambda 1e-4; no intercept
                        objective  [0-9.]+
                        gap        \\S+  \\(certified, at most 1e-6\\)
                        epochs     [0-9.]+
                        seconds    [0-9.]+
                        """);
        assertThat(result.err()).isEqualTo("model written to " + model + "\n");
    }

    @Test
    void quietLeavesStderrEmpty() {
        assertThat(train("--quiet").err()).isEmpty();
    }

    @Test
    void aRunThatReachesItsLimitReportsItsGapAndWritesTheModel() {
        Cli result = train("--gap 1e-14 --max-epochs 2");
        assertThat(result.code()).isEqualTo(1);
        assertThat(result.value("certified")).isEqualTo("false");
        assertThat(result.value("outcome")).isEqualTo("epoch-limit");
        assertThat(result.err())
                .matches("model written to .*\nstarling: gap [0-9.e-]+ reached, not the 1e-14 asked for:"
                        + " --max-epochs 2 came first\n");
        assertThat(LinearModel.load(model).provenance().certified()).isFalse();
    }

    @Test
    void aRunThatReachesItsTimeLimitReportsIt() {
        Cli result = Cli.ended(
                1,
                "train",
                data,
                "--method adfs --lambda 1e-9 --gap 1e-14 --max-seconds 0.2 --max-epochs 1e9 --no-model",
                "--json");
        assertThat(result.err()).endsWith("--max-seconds 0.2 came first\n");
        assertThat(result.value("outcome")).isEqualTo("stopped");
    }

    @Test
    void rowsMayComeFromStandardInput() throws IOException {
        Cli piped = Cli.piped(Files.readString(data), "train", "-", "--nodes 2 --no-model --json");
        Cli read = Cli.run("train", data, "--nodes 2 --no-model --json");
        assertThat(piped.value("modelHash")).isEqualTo(read.value("modelHash"));
        assertThat(piped.value("data")).isEqualTo("standard input");
    }

    @Test
    void cMeansTheSameAsTheLambdaItStandsFor() {
        Cli byC = Cli.run("train", data, "--c 0.25 --nodes 2 --no-model --json");
        assertThat(byC.number("lambda")).isEqualTo(1 / (0.25 * 400));
    }

    @Test
    void withCSquaredLossesAreTwiceAsLargeAsOurs() {
        Cli byC = Cli.run("train", data, "--c 0.25 --loss squared-hinge --nodes 2 --no-model --json");
        assertThat(byC.number("lambda")).isEqualTo(1 / (2 * 0.25 * 400));
    }

    @Test
    void severalClassesAreReportedOneByOne() {
        Path three = Cli.file(
                folder,
                "three.txt",
                "1 1:1",
                "2 2:1",
                "3 3:1",
                "1 1:2",
                "2 2:2",
                "3 3:2",
                "1 1:1 2:0.1",
                "2 2:1 3:0.1");
        Cli joint = Cli.run("train", three, "--nodes 2 --model", model, "--json --lambda 1e-2");
        assertThat(joint.value("loss")).isEqualTo("softmax");
        assertThat(joint.err()).doesNotContain("each class is told from the rest");
        for (String why : List.of(
                "--method adfs! --method adfs takes one score per row",
                "--loss hinge! the loss hinge tells two classes apart",
                "--model-format liblinear! LIBLINEAR's format has no softmax")) {
            Cli apart = Cli.run("train", three, why.split("!")[0], "--model", model, "--json --lambda 1e-2");
            assertThat(apart.value("loss")).isNotEqualTo("softmax");
            assertThat(apart.err()).contains("each class is told from the rest:" + why.split("!")[1]);
        }
        Cli result = Cli.ok("train", three, "--nodes 2 --one-versus-rest --model", model, "--json --lambda 1e-2");
        assertThat(result.err()).doesNotContain("each class is told from the rest");
        Cli again = Cli.run("train", three, "--like", model, "--no-model --json");
        assertThat(again.value("weightsHash")).isEqualTo(result.value("weightsHash"));
        assertThat(Cli.run("train", three, "--loss squared --one-versus-rest").err())
                .contains("--one-versus-rest tells one class from the others at a time, but the loss squared");
        assertThat(result.out()).contains("\"classes\":[{\"label\":1,", "{\"label\":2,", "{\"label\":3,");
        assertThat(Cli.run("predict", model, three, "-q").out()).isEqualTo("1\n2\n3\n1\n2\n3\n1\n2\n");
    }

    @Test
    void explainNamesEveryConstant() {
        Cli result = Cli.ok("train", data, "--method adfs --nodes 4 --topology ring --explain --dry-run");
        assertThat(result.out())
                .startsWith("method: adfs\nnetwork\n")
                .contains(
                        "  γ ", "  σ_i ", "  S_i ", "  M_i ", "  κ_b ", "  κ_s ", "  τ ", "  c ", "  σ_A ", "  C_comp ")
                .contains("  C_comm ", "  p_comm ", "  p_comp ", "  ρ ", "  η ", "  φ ", "proximal steps per row")
                .contains("idealised time");
        assertThat(model).doesNotExist();
    }

    @Test
    void explainNamesTheTreeAndPredictsThePassesOfNewton() {
        Cli result = Cli.ok("train", data, "--nodes 4 --topology line --tau 5 --explain --dry-run --json");
        assertThat(result.value("method")).isEqualTo("newton");
        assertThat(number(result, "tau")).isEqualTo(5);
        assertThat(number(result, "treeDepth")).isEqualTo(3);
        assertThat(number(result, "roundsPerPass")).isEqualTo(6);
        double passes = number(result, "predictedEpochs");
        assertThat(passes).isBetween(2.0, 20.0);
        assertThat(number(result, "predictedRounds")).isCloseTo(6 * passes, within(1e-9));
        assertThat(number(result, "predictedIdealisedTime")).isCloseTo(passes * (100 + 6 * 5), within(1e-9));
        assertThat(result.out()).doesNotContain("p_comm", "proximal", "nfinity", "NaN", "null");
    }

    @Test
    void explainPrintsNewtonsPlanAsText() {
        Cli result = Cli.run("train", data, "--nodes 1 --explain --dry-run");
        assertThat(result.out())
                .startsWith("method: newton\nnetwork\n")
                .contains("passes over all rows", "1 per row visited")
                .doesNotContain("p_comm", "proximal", "nfinity", "NaN");
    }

    @Test
    void explainSaysOfASplitWhatPlanSays() {
        String options = "--nodes 4 --topology ring --lambda 1e-2 --deal sizes:1 --explain --json";
        String planned = split(Cli.ok("plan", data, options));
        assertThat(planned)
                .contains("globalConditioning", "localConditioning", "stochasticConditioning", "gamma", "chi1", "chi2")
                .contains("heterogeneity", "averageHeterogeneity", "similarity", "averageSimilarity");
        assertThat(split(Cli.ok("train", data, options, "--dry-run"))).isEqualTo(planned);
        assertThat(split(Cli.ok("train", data, options, "--no-model"))).isEqualTo(planned);
        assertThat(Cli.ok("train", data, "--nodes 4 --explain --dry-run").out())
                .containsPattern(
                        "(?s)\nsplit\n  κ_g .*  κ_ℓ .*  κ_s .*  γ .*  χ₁ .*  χ₂ .*  ζ .* at 0, .*  δ .* at 0, ");
        assertThat(Cli.ok("train", data, "--nodes 4 --dry-run --json").out()).doesNotContain("\"split\"");
    }

    /** The numbers of a split in a JSON object. */
    private static String split(Cli result) {
        Matcher matcher = Pattern.compile("\"split\":\\{.*?}}").matcher(result.out());
        assertThat(matcher.find()).as(result.out()).isTrue();
        return matcher.group();
    }

    @Test
    void explainIsAboutTheRowsThatAreTrainedOn() {
        String options = "--nodes 3 --explain --dry-run --json --holdout 0.3";
        String raw = split(Cli.ok("train", data, options));
        assertThat(raw).isNotEqualTo(split(Cli.ok("train", data, "--nodes 3 --explain --dry-run --json")));
        assertThat(split(Cli.ok("train", data, options, "--standardize"))).isNotEqualTo(raw);
        assertThat(split(Cli.ok("train", data, options, "--class-weight balanced")))
                .isNotEqualTo(raw);
    }

    @ParameterizedTest
    @CsvSource({
        "--nodes 1,              globalConditioning, chi1",
        "--nodes 1,              gamma,              heterogeneity",
        "--nodes 2 --lambda 0,   heterogeneity,      globalConditioning",
        "--nodes 2 --lambda 0,   similarity,         similarityOverLambda",
        "--nodes 2 --intercept,  heterogeneity,      globalConditioning",
        "--nodes 2 --loss hinge, chi2,               heterogeneity",
        "--nodes 2 --loss softmax, chi2,             heterogeneity"
    })
    void explainLeavesOutWhatASplitDoesNotHave(String options, String has, String lacks) {
        assertThat(split(Cli.ok("train", data, options, "--explain --dry-run --json")))
                .contains("\"" + has + "\"")
                .doesNotContain("\"" + lacks + "\"", "null");
    }

    /** The value of a constant of an explanation. */
    private static double number(Cli result, String constant) {
        Matcher matcher = Pattern.compile("\"" + constant + "\":\\{[^}]*\"value\":([^}]+)}")
                .matcher(result.out());
        assertThat(matcher.find()).as(constant).isTrue();
        return Double.parseDouble(matcher.group(1));
    }

    @ParameterizedTest
    @CsvSource({"auto,newton", "newton,newton", "adfs,adfs"})
    void theMethodIsReportedAndReusedWhenTrainingLikeTheModel(String asked, String taken) {
        Cli first = train("--method", asked, "--seed 5");
        assertThat(first.code()).isZero();
        assertThat(first.value("method")).isEqualTo(taken);
        assertThat(LinearModel.load(model).provenance().method()).isEqualTo(taken);
        Cli second = again(data, "--runtime simulator");
        assertThat(second.value("modelHash")).isEqualTo(first.value("modelHash"));
        assertThat(second.value("method")).isEqualTo(taken);
    }

    @Test
    void helpListsTheMethods() {
        assertThat(Cli.run("train", "--help").out().replaceAll("\\s+", " "))
                .contains(
                        "--method=METHOD",
                        "auto, newton, proximal-newton, multipliers, dual, adfs, ns-adfs, adfs-local, adfs-matchings, adfs-localised, adfs-varying (default: auto)");
    }

    @Test
    void explanationsArePartOfTheJsonObject() {
        Cli result = train("--explain");
        assertThat(result.out()).contains("\"explanation\":{\"network\":{\"nodes\":{\"symbol\":\"n\"");
        assertThat(result.value("certified")).isEqualTo("true");
    }

    @Test
    void aGraphFileDefinesTheNodesAndIsKeptInTheModel() {
        Path graph = Cli.file(folder, "graph.txt", "paris lyon", "lyon nice 2.5");
        Cli result = Cli.run("train", data, "--graph", graph, "--model", model, "--json");
        assertThat(result.value("nodes")).isEqualTo("3");
        assertThat(LinearModel.load(model).provenance().graph())
                .isEqualTo(new GraphRecipe(
                        "graph graph.txt",
                        3,
                        "",
                        0,
                        List.of("paris", "lyon", "nice"),
                        List.of(new GraphRecipe.Edge(0, 1, 1.0), new GraphRecipe.Edge(1, 2, 2.5))));
    }

    @Test
    void huberWithItsParameterAsAnOptionIsHuberWithItInParentheses() {
        Path numbers = folder.resolve("numbers.txt");
        Cli.run("generate", numbers, "--regression --rows 100 --features 3");
        Cli option = Cli.run("train", numbers, "--loss huber --delta 0.5 --nodes 2 --no-model --json");
        Cli name = Cli.run("train", numbers, "--loss huber(0.5) --nodes 2 --no-model --json");
        assertThat(option.value("modelHash")).isEqualTo(name.value("modelHash"));
    }

    @Test
    void aLossWithAKinkIsTrainedToItsGap() {
        Cli result = train("--loss hinge --gap 1e-2 --explain");
        assertThat(result.code()).isZero();
        assertThat(result.value("method")).isEqualTo("multipliers");
        assertThat(result.number("gap")).isLessThanOrEqualTo(1e-2);
        assertThat(result.out()).contains("\"roundsPerSum\":");
        assertThat(train("--loss hinge --method ns-adfs --gap 1e-2 --explain").out())
                .contains("\"smallestProbability\":");
    }

    @Test
    void classesCutShortByALimitAreNamed() throws IOException {
        Path rows = folder.resolve("three.txt");
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 90; i++) {
            text.append(i % 3)
                    .append(" 1:")
                    .append(i % 7)
                    .append(" 2:")
                    .append(i % 5)
                    .append('\n');
        }
        Files.writeString(rows, text);
        Cli result = Cli.ended(1, "train", rows, "--gap 1e-13 --max-epochs 1 --no-model --method adfs");
        assertThat(result.err()).contains("--max-epochs 1 came first; classes short of it: 0, 1, 2");
    }
}
