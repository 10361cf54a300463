package dev.starling.cli.train;

import dev.starling.Fit;
import dev.starling.certificate.Certificate;
import dev.starling.certificate.Exactness;
import dev.starling.cli.console.Json;
import dev.starling.cli.evaluate.EvaluationReport;
import dev.starling.cli.show.Question;
import dev.starling.data.Dataset;
import dev.starling.internal.JsonObject;
import dev.starling.model.CrossValidation;
import dev.starling.model.LinearModel;
import dev.starling.settings.Settings;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What {@code train} prints: what was trained and four numbers for people, one object for programs. */
public record TrainReport(String data, Dataset rows, double gap, long seed, String runtime, double loadSeconds) {

    /** A relative gap beyond this is not due to the last digits of ordinary numbers. */
    private static final double NEARLY = 1e-3;

    private static final String MOVE = "subtract a constant from columns far from zero";

    public void print(PrintWriter out, Fit fit) {
        Question question = new Question(fit.model());
        out.println(question.sentence());
        out.println(question.terms());
        if (fit.validation().isPresent()) {
            ValidationTable.print(out, fit.model(), fit.validation().get());
        } else if (!fit.model().path().isEmpty()) {
            PathTable.print(out, fit.model().path());
        }
        out.printf(Locale.US, "objective  %.10g%n", fit.objective());
        out.printf(
                Locale.US,
                "gap        %.3g  (%s)%n",
                fit.gap(),
                fit.isCertified()
                        ? "certified, at most " + Json.text(gap)
                        // The model of an interrupted path may be proven although others are missing.
                        : fit.gap() <= gap
                                ? "at most " + Json.text(gap) + ", but not all was solved"
                                : "not the " + Json.text(gap) + " asked for");
        Exactness exactness = fit.model().provenance().exactness();
        if (exactness.standardErrors() < 1) {
            out.printf(Locale.US, "exact to   %.3g standard errors, every coefficient%n", exactness.standardErrors());
        }
        if (!exactness.aliased().isEmpty()) {
            out.printf("aliased    %s%n", String.join(", ", aliased(fit)));
        }
        out.printf(Locale.US, "epochs     %.1f%n", fit.epochs());
        out.printf(Locale.US, "seconds    %.3f%n", fit.seconds());
        fit.evaluation().ifPresent(measures -> new EvaluationReport(fit.model(), measures).print(out, "held out"));
    }

    public void write(JsonObject json, Fit fit, Optional<Path> model, Explanation explanation) {
        json.with("question", new Question(fit.model()).sentence());
        json.with("objective", fit.objective());
        json.with("dual", fit.certificate().dual());
        json.with("error", fit.certificate().error());
        json.with("bound", fit.certificate().bound());
        json.with("gap", fit.gap());
        if (PathTable.setting(fit.model(), "lambda") == 0) {
            json.with("coefficientError", fit.model().provenance().exactness().standardErrors());
            json.with("aliased", aliased(fit));
        }
        json.with("certified", fit.isCertified());
        json.with("outcome", fit.outcome().name().toLowerCase(Locale.ROOT).replace('_', '-'));
        json.with("nodes", fit.model().provenance().graph().nodes());
        json.with("network", fit.model().provenance().graph().description());
        json.with("method", fit.plan().method().name());
        json.with("epochs", fit.epochs());
        json.with("updates", fit.updates());
        json.with("rounds", fit.rounds());
        json.with("latency", fit.latency().isPresent() ? fit.latency().getAsLong() : null);
        json.with("bytes", fit.bytes());
        json.with("idealisedTime", fit.idealisedTime());
        json.with("seconds", fit.seconds());
        json.with("loadSeconds", loadSeconds);
        json.with("modelHash", fit.model().hash());
        json.with("weightsHash", fit.model().weightsHash());
        json.with("model", (Object) model.map(Path::toString).orElse(null));
        json.with("data", data);
        json.with("fingerprint", fit.model().provenance().fingerprint());
        json.with("rows", rows.rows());
        json.with("features", rows.features());
        json.with("loss", fit.model().loss());
        json.with("lambda", PathTable.setting(fit.model(), "lambda"));
        json.with("targetGap", gap);
        json.with("tau", fit.model().provenance().delay());
        json.with("seed", seed);
        json.with("runtime", runtime);
        json.with("version", fit.model().provenance().version());
        if (fit.certificates().size() > 1) {
            classes(json, fit);
        }
        if (!fit.model().path().isEmpty()) {
            PathTable.write(json, fit.model().path());
        }
        fit.evaluation()
                .ifPresent(measures -> json.object("holdout", new EvaluationReport(fit.model(), measures)::write));
        json.with("crossValidation", fit.validation().map(CrossValidation::toMap));
        if (!explanation.isEmpty()) {
            json.object("explanation", explanation::write);
        }
    }

    /** The names of the features that were left out, or their numbers if they have no names. */
    private static List<String> aliased(Fit fit) {
        List<String> names = fit.model().names();
        return fit.model().provenance().exactness().aliased().stream()
                .map(c -> c < names.size() ? names.get(c) : String.valueOf(c + 1))
                .toList();
    }

    private void classes(JsonObject json, Fit fit) {
        List<Certificate> certificates = fit.certificates();
        json.objects("classes", certificates.size(), (one, k) -> {
            Certificate certificate = certificates.get(k);
            one.with("label", label(fit.model(), fit.model().classes().get(k)));
            one.with("objective", certificate.objective());
            one.with("gap", certificate.relativeGap());
            one.with("certified", certificate.relativeGap() <= gap);
            one.with("epochs", certificate.epochs());
        });
    }

    /** A class as it is written in the data: a number unless there is a recipe. */
    private static Object label(LinearModel model, double label) {
        return model.recipe().isPresent() ? model.spelling(label) : Json.label(label);
    }

    /**
     * Says why a run ended without the certificate that was asked for.
     *
     * @param interrupted whether somebody asked it to end
     * @param maxSeconds null for no limit
     */
    private static String reason(Fit fit, boolean interrupted, double maxEpochs, Double maxSeconds) {
        return switch (fit.outcome()) {
            case STALLED ->
                "stalled: further passes proved nothing better, most likely because of rounding"
                        + (fit.gap() <= NEARLY
                                ? ""
                                : standardised(fit) ? "; " + MOVE : "; try --standardize, or " + MOVE);
            case EPOCH_LIMIT -> "--max-epochs " + Json.text(maxEpochs) + " came first";
            // Each problem has a share of the time, so that all together may end a little before it is over.
            default ->
                interrupted || maxSeconds == null
                        ? "interrupted"
                        : "--max-seconds " + Json.text(maxSeconds) + " came first";
        };
    }

    private static boolean standardised(Fit fit) {
        return fit.model().provenance().settings().getOrDefault("scaling", "").equals("standardize");
    }

    /** Says how far a run got that did not reach the gap asked for, and which classes fell short. */
    static String shortfall(Fit fit, boolean interrupted, String gap, double maxEpochs, Double maxSeconds) {
        String reason = reason(fit, interrupted, maxEpochs, maxSeconds);
        List<LinearModel> path = fit.model().path();
        long solved = path.stream().filter(one -> one.provenance().certified()).count();
        int asked = Settings.of(fit.model().provenance().settings()).path().size();
        String text = !path.isEmpty() && path.size() < asked
                ? solved + " of " + asked + " values of lambda were solved: " + reason
                : String.format(Locale.US, "gap %.3g reached, not the %s asked for: %s", fit.gap(), gap, reason);
        List<Double> classes = fit.uncertifiedClasses();
        return classes.isEmpty()
                ? text
                : text + "; classes short of it: "
                        + classes.stream().map(fit.model()::spelling).collect(Collectors.joining(", "));
    }
}
