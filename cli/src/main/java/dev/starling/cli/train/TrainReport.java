package dev.starling.cli.train;

import dev.starling.Fit;
import dev.starling.certificate.Certificate;
import dev.starling.certificate.Exactness;
import dev.starling.cli.console.Json;
import dev.starling.cli.evaluate.EvaluationReport;
import dev.starling.cli.show.Question;
import dev.starling.data.Dataset;
import dev.starling.internal.JsonTree;
import dev.starling.model.LinearModel;
import dev.starling.model.ValidationJson;
import dev.starling.settings.Settings;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.core.JsonGenerator;

/** What {@code train} prints: what was trained and four numbers for people, one object for programs. */
public record TrainReport(String data, Dataset rows, double gap, long seed, String runtime, double loadSeconds) {

    /** A relative gap beyond this is not due to the last digits of ordinary numbers. */
    private static final double NEARLY = 1e-3;

    public void print(PrintWriter out, Fit fit) {
        Question question = new Question(fit.model());
        out.println(question.sentence());
        out.println(question.terms());
        if (fit.validation().isPresent()) {
            ValidationTable.print(out, fit.model(), fit.validation().get());
        } else if (!fit.model().path().isEmpty()) {
            PathTable.print(out, fit.model().path());
        }
        out.printf(Locale.ROOT, "objective  %.10g%n", fit.objective());
        out.printf(
                Locale.ROOT,
                "gap        %.3g  (%s)%n",
                fit.gap(),
                fit.isCertified()
                        ? "certified, at most " + Json.text(gap)
                        : "not the " + Json.text(gap) + " asked for");
        Exactness exactness = fit.model().provenance().exactness();
        if (Double.isFinite(exactness.standardErrors())) {
            out.printf(Locale.ROOT, "exact to   %.3g standard errors, every coefficient%n", exactness.standardErrors());
        }
        if (!exactness.aliased().isEmpty()) {
            out.printf("aliased    %s%n", String.join(", ", aliased(fit)));
        }
        out.printf(Locale.ROOT, "epochs     %.1f%n", fit.epochs());
        out.printf(Locale.ROOT, "seconds    %.3f%n", fit.seconds());
        out.flush();
        fit.evaluation().ifPresent(measures -> new EvaluationReport(fit.model(), measures).print(out, "held out"));
    }

    public void write(JsonGenerator json, Fit fit, Optional<Path> model, Explanation explanation) {
        json.writeStringProperty("question", new Question(fit.model()).sentence());
        Json.number(json, "objective", fit.objective());
        Json.number(json, "dual", fit.certificate().dual());
        Json.number(json, "error", fit.certificate().error());
        Json.number(json, "gap", fit.gap());
        if (PathTable.setting(fit.model(), "lambda") == 0) {
            Json.number(
                    json,
                    "coefficientError",
                    fit.model().provenance().exactness().standardErrors());
            JsonTree.value(json, "aliased", aliased(fit));
        }
        json.writeBooleanProperty("certified", fit.isCertified());
        json.writeStringProperty(
                "outcome", fit.outcome().name().toLowerCase(Locale.ROOT).replace('_', '-'));
        json.writeNumberProperty("nodes", fit.model().provenance().graph().nodes());
        json.writeStringProperty("network", fit.model().provenance().graph().description());
        json.writeStringProperty("method", fit.plan().method().name());
        Json.number(json, "epochs", fit.epochs());
        json.writeNumberProperty("updates", fit.updates());
        json.writeNumberProperty("rounds", fit.rounds());
        json.writeNumberProperty("bytes", fit.bytes());
        Json.number(json, "idealisedTime", fit.idealisedTime());
        Json.number(json, "seconds", fit.seconds());
        Json.number(json, "loadSeconds", loadSeconds);
        json.writeStringProperty("modelHash", fit.model().hash());
        json.writeStringProperty("weightsHash", fit.model().weightsHash());
        model.ifPresentOrElse(
                path -> json.writeStringProperty("model", path.toString()), () -> json.writeNullProperty("model"));
        json.writeStringProperty("data", data);
        json.writeStringProperty("fingerprint", fit.model().provenance().fingerprint());
        json.writeNumberProperty("rows", rows.rows());
        json.writeNumberProperty("features", rows.features());
        json.writeStringProperty("loss", fit.model().loss());
        json.writeNumberProperty("lambda", PathTable.setting(fit.model(), "lambda"));
        json.writeNumberProperty("targetGap", gap);
        json.writeNumberProperty("tau", fit.model().provenance().delay());
        json.writeNumberProperty("seed", seed);
        json.writeStringProperty("runtime", runtime);
        json.writeStringProperty("version", fit.model().provenance().version());
        if (fit.certificates().size() > 1) {
            classes(json, fit);
        }
        if (!fit.model().path().isEmpty()) {
            PathTable.write(json, fit.model().path());
        }
        fit.evaluation().ifPresent(measures -> new EvaluationReport(fit.model(), measures).write(json, "holdout"));
        fit.validation().ifPresent(validation -> {
            JsonTree.object(json, "crossValidation", () -> ValidationJson.write(json, validation));
        });
        if (!explanation.isEmpty()) {
            JsonTree.object(json, "explanation", () -> explanation.write(json));
        }
    }

    /** The names of the features that were left out, or their numbers if they have no names. */
    private static List<String> aliased(Fit fit) {
        List<String> names = fit.model().names();
        return fit.model().provenance().exactness().aliased().stream()
                .map(c -> c < names.size() ? names.get(c) : String.valueOf(c + 1))
                .toList();
    }

    private void classes(JsonGenerator json, Fit fit) {
        List<Certificate> certificates = fit.certificates();
        json.writeArrayPropertyStart("classes");
        for (int k = 0; k < certificates.size(); k++) {
            Certificate certificate = certificates.get(k);
            json.writeStartObject();
            json.writeName("label");
            label(json, fit.model(), fit.model().classes().get(k));
            Json.number(json, "objective", certificate.objective());
            Json.number(json, "gap", certificate.relativeGap());
            json.writeBooleanProperty("certified", certificate.relativeGap() <= gap);
            Json.number(json, "epochs", certificate.epochs());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** Writes a class as it is written in the data: a number unless there is a recipe. */
    private static void label(JsonGenerator json, LinearModel model, double label) {
        if (model.recipe().isPresent()) {
            json.writeString(model.spelling(label));
        } else {
            Json.label(json, label);
        }
    }

    /**
     * Says why a run ended without the certificate that was asked for.
     *
     * @param maxSeconds null for no limit
     */
    private static String reason(Fit fit, double maxEpochs, Double maxSeconds) {
        return switch (fit.outcome()) {
            case STALLED ->
                "stalled: further passes proved nothing better, most likely because of rounding"
                        + (fit.gap() > NEARLY ? "; try --standardize" : "");
            case EPOCH_LIMIT -> "--max-epochs " + Json.text(maxEpochs) + " came first";
            default ->
                maxSeconds != null && fit.seconds() >= maxSeconds
                        ? "--max-seconds " + Json.text(maxSeconds) + " came first"
                        : "interrupted";
        };
    }

    /** Says how far a run got that did not reach the gap asked for, and which classes fell short. */
    static String shortfall(Fit fit, String gap, double maxEpochs, Double maxSeconds) {
        String reason = reason(fit, maxEpochs, maxSeconds);
        int solved = fit.model().path().size();
        int asked = Settings.of(fit.model().provenance().settings()).path().size();
        String text = solved > 0 && solved < asked
                ? solved + " of " + asked + " values of lambda were solved: " + reason
                : String.format(Locale.ROOT, "gap %.3g reached, not the %s asked for: %s", fit.gap(), gap, reason);
        List<Double> classes = fit.uncertifiedClasses();
        return classes.isEmpty()
                ? text
                : text + "; classes short of it: "
                        + classes.stream().map(fit.model()::spelling).collect(Collectors.joining(", "));
    }
}
