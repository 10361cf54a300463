package dev.starling.cli.evaluate;

import dev.starling.cli.console.Json;
import dev.starling.data.InvalidInputException;
import dev.starling.model.EvaluationRecord;
import dev.starling.model.Provenance;
import dev.starling.model.ValidationJson;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import tools.jackson.core.JsonGenerator;

/** The evaluations that a model file holds from training. */
record StoredEvaluations(Provenance provenance) {

    private static final Map<String, String> DISPLAY_NAMES = Map.of(EvaluationRecord.HOLDOUT, "held out");

    /** Refuses a file without evaluations. */
    void require(Path model) {
        if (provenance.evaluations().isEmpty() && provenance.validation().isEmpty()) {
            throw new InvalidInputException(
                    model + " holds no evaluation of the model; give a file with labels to evaluate it on");
        }
    }

    void print(PrintWriter out) {
        provenance.validation().ifPresent(validation -> {
            out.printf(
                    Locale.ROOT,
                    "cross-validation, %d folds by %s, lambda %.6g%n",
                    validation.folds(),
                    validation.by(),
                    validation.chosenLine().lambda());
            validation
                    .chosenLine()
                    .measures()
                    .forEach((name, estimate) -> out.printf(
                            Locale.ROOT,
                            "%-13s %.6g +- %.2g%n",
                            EvaluationReport.displayName(name),
                            estimate.mean(),
                            estimate.error()));
        });
        provenance.evaluations().forEach((by, evaluated) -> {
            out.printf("%-13s %d rows%n", DISPLAY_NAMES.getOrDefault(by, by), evaluated.rows());
            evaluated.measures().forEach((name, value) -> {
                if (!Double.isNaN(value)) {
                    out.printf(Locale.ROOT, "%-13s %.6g%n", EvaluationReport.displayName(name), value);
                }
            });
        });
        out.flush();
    }

    void write(JsonGenerator json) {
        provenance.validation().ifPresent(validation -> {
            json.writeObjectPropertyStart("crossValidation");
            ValidationJson.write(json, validation);
            json.writeEndObject();
        });
        provenance.evaluations().forEach((by, evaluated) -> {
            json.writeObjectPropertyStart(by);
            json.writeNumberProperty("rows", evaluated.rows());
            Json.number(json, "weight", evaluated.weight());
            evaluated.measures().forEach((name, value) -> Json.number(json, name, value));
            json.writeEndObject();
        });
    }
}
