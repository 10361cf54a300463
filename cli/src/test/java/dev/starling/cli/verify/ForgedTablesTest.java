package dev.starling.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.starling.Trainer;
import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.loss.Losses;
import dev.starling.model.LinearModel;
import dev.starling.model.StandardErrors;
import dev.starling.settings.Setting;
import dev.starling.verify.Verification;
import dev.starling.verify.Verifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Takes model files whose tables are true, and changes every number of the table, one at a time: none of them is
 * confirmed, unless {@code verify} says that it did not look.
 */
class ForgedTablesTest {

    /** The losses whose rows or scores cannot be taken apart, which leave no column out. */
    private static final Set<String> WHOLE = Set.of("multinomial", "ordinal", "cox");

    @TempDir
    private Path folder;

    private static Dataset rows(String loss) {
        Random random = new Random(7);
        int rows = 60;
        double[][] values = new double[rows][3];
        double[] labels = new double[rows];
        for (int i = 0; i < rows; i++) {
            values[i][0] = random.nextGaussian();
            values[i][1] = 5 + random.nextInt(3);
            boolean dependent = !WHOLE.contains(loss);
            values[i][2] = dependent ? values[i][0] + values[i][1] : random.nextGaussian();
            double score = 0.5 * values[i][0] + random.nextGaussian() / 2;
            labels[i] = switch (loss.replaceFirst("\\(.*", "")) {
                case "squared" -> score;
                case "binomial", "logistic" -> score > 0 ? 1 : 0;
                case "quasi-binomial" -> 1 / (1 + Math.exp(-score));
                case "multinomial", "ordinal" -> score < -0.4 ? 1 : score < 0.4 ? 2 : 3;
                case "cox" -> Math.exp(score) * (i % 4 == 0 ? -1 : 1);
                case "gamma", "inverse-gaussian" -> Math.exp(score);
                default -> Math.rint(2 * Math.exp(score));
            };
        }
        boolean weighted = Set.of("squared", "gamma", "poisson").contains(loss);
        Dataset data = Dataset.of(values, labels);
        return weighted
                ? data.withWeights(random.doubles(rows, 0.5, 2).toArray())
                        .withOffsets(random.doubles(rows, -0.1, 0.1).toArray())
                : data;
    }

    @ParameterizedTest
    @CsvSource({
        "squared,MODEL",
        "squared,HC2",
        "binomial,MODEL",
        "logistic,HC1",
        "binomial(probit),HC3",
        "binomial(cloglog),MODEL",
        "quasi-binomial,HC0",
        "poisson,HC1",
        "quasi-poisson,MODEL",
        "gamma,MODEL",
        "inverse-gaussian,HC3",
        "tweedie(1.5),MODEL",
        "negative-binomial(2),MODEL",
        "multinomial,MODEL",
        "ordinal,MODEL",
        "cox,MODEL"
    })
    void noNumberOfATableCanBeChanged(String loss, StandardErrors kind) throws IOException {
        Dataset data = rows(loss);
        LinearModel model = Trainer.of(Losses.named(loss))
                .lambda(0)
                .intercept(!loss.equals("cox"))
                .with(Setting.STANDARD_ERRORS, kind)
                .fit(data)
                .model();
        Path file = folder.resolve("model.json");
        model.save(file);
        String text = Files.readString(file).replaceFirst("\"hash\":\"[^\"]*\",", "");
        Verification found = Verifier.of(model).verify(data);
        assertThat(found.holds()).as(found.model().reason()).isTrue();
        Set<String> unchecked = found.unchecked().stream()
                .flatMap(part -> Pattern.compile("\\(([^)]*)\\)").matcher(part).results())
                .flatMap(members -> Stream.of(members.group(1).split(", ")))
                .collect(Collectors.toSet());
        assertThat(unchecked).doesNotContain("inference", "covariance", "deviance", "estimateErrors", "robust");
        JsonPlaces places = JsonPlaces.of(text);
        List<String> confirmed = new ArrayList<>();
        int files = 0;
        for (JsonPlaces.Place place : places.all()) {
            boolean ofTable = place.path().startsWith("/inference/") && place.isNumber();
            if (!ofTable || Arrays.stream(place.path().split("/")).anyMatch(unchecked::contains)) {
                continue;
            }
            for (String other : changes(place)) {
                files++;
                if (isConfirmed(places.with(place, other), data)) {
                    confirmed.add(place.path() + ": " + other);
                }
            }
        }
        assertThat(confirmed).isEmpty();
        assertThat(files).isGreaterThan(40);
    }

    /**
     * An error may be stated to be greater than it is, which is true as well; that there is an intercept has no size.
     */
    private static List<String> changes(JsonPlaces.Place place) {
        double value = place.number();
        if (place.path().contains("rror")) {
            return List.of("-1");
        }
        if (place.path().endsWith("/intercept")) {
            return List.of(value == 0 ? "1" : "0");
        }
        return value == 0
                ? List.of("1e-3", "null")
                : List.of(
                        Double.toString(value * (1 + 1e-4)),
                        Double.toString(value * (1 - 1e-7)),
                        "0",
                        "null",
                        "" + -value);
    }

    private boolean isConfirmed(String text, Dataset data) throws IOException {
        Path forged = Files.writeString(folder.resolve("forged.json"), text);
        try {
            return Verifier.of(LinearModel.load(forged), forged).verify(data).holds();
        } catch (InvalidInputException e) {
            assertThat(e.getMessage()).doesNotContain("\n");
            return false;
        }
    }
}
