package dev.starling.serve;

import dev.starling.Fit;
import dev.starling.certificate.Certificate;
import dev.starling.certificate.Exactness;
import dev.starling.model.LinearModel;
import dev.starling.model.ModelFormat;
import dev.starling.model.Provenance;
import dev.starling.recipe.Recipe;
import dev.starling.statistics.Coefficient;
import dev.starling.statistics.GlmTable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * What is answered to a request.
 *
 * @param event what the answer is called
 * @param header the members of the header
 * @param arrays the model's numbers
 */
record Answer(String event, Map<String, Object> header, Map<String, Object> arrays) {

    private static final double LEVEL = 0.95;

    /**
     * The answer for a fit.
     *
     * @param file whether the model's file belongs to it
     */
    static Answer of(Fit fit, Optional<Recipe> recipe, boolean file) {
        LinearModel model = fit.model();
        Provenance made = model.provenance();
        Map<String, Object> header = new LinkedHashMap<>();
        header.put("outcome", fit.outcome().name().toLowerCase(Locale.ROOT).replace('_', '-'));
        header.put("certificate", certificate(fit.certificate()));
        header.put("method", made.method());
        header.put("seconds", fit.seconds());
        header.put("features", model.features());
        header.put("classes", model.classes());
        header.put("hash", model.hash());
        header.put("settings", made.settings());
        Exactness exactness = made.exactness();
        header.put("coefficientError", exactness.standardErrors());
        header.put("aliased", exactness.aliased());
        recipe.ifPresent(used -> {
            header.put("names", model.names());
            header.put("recipe", used.toMap());
            header.put(
                    "spellings", model.classes().stream().map(model::spelling).toList());
        });
        Map<String, Object> arrays = new LinkedHashMap<>();
        put(arrays, "", List.of(model));
        if (!model.path().isEmpty()) {
            addPath(arrays, model.path());
        }
        fit.validation().ifPresent(validation -> {
            header.put("chosen", validation.chosen());
            header.put("best", validation.best());
            arrays.put("cvLoss", each(validation.lines(), line -> line.loss().mean()));
            arrays.put("cvError", each(validation.lines(), line -> line.loss().error()));
        });
        if (model.inference().isPresent()) {
            addInference(header, arrays, model);
        }
        if (file) {
            arrays.put("file", bytes(model));
        }
        return new Answer("fit", header, arrays);
    }

    /** What a statistician reads, with bounds on the errors of what is proven. */
    private static void addInference(Map<String, Object> header, Map<String, Object> arrays, LinearModel model) {
        GlmTable table = GlmTable.of(model, LEVEL);
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("kind", table.kind().text());
        members.put("rows", table.n());
        members.put("dfResidual", table.dfResidual());
        members.put("dfNull", table.dfNull());
        members.put("tested", table.tested());
        members.put("nullDeviance", table.nullDeviance().value());
        members.put("pearson", model.inference().orElseThrow().pearson());
        Map.of(
                        "dispersion",
                        table.dispersion(),
                        "deviance",
                        table.deviance(),
                        "logLik",
                        table.logLik(),
                        "aic",
                        table.aic())
                .forEach((name, proven) -> {
                    members.put(name, proven.value());
                    members.put(name + "Error", proven.error());
                });
        header.put("inference", members);
        List<Coefficient> lines = new ArrayList<>(table.coefficients());
        if (lines.get(0).name().equals(GlmTable.INTERCEPT) && lines.size() > model.features()) {
            lines.add(lines.remove(0));
        }
        arrays.put("covariance", GlmTable.covariance(model));
        arrays.put("estimateErrors", each(lines, line -> line.estimate().error()));
        arrays.put("standardErrors", each(lines, line -> line.se().value()));
        arrays.put("standardErrorErrors", each(lines, line -> line.se().error()));
    }

    private static Map<String, Object> certificate(Certificate certificate) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("objective", certificate.objective());
        members.put("dual", certificate.dual());
        members.put("error", certificate.error());
        members.put("bound", certificate.bound());
        members.put("gap", certificate.relativeGap());
        members.put("steps", certificate.steps());
        members.put("epochs", certificate.epochs());
        return members;
    }

    private static void addPath(Map<String, Object> arrays, List<LinearModel> path) {
        put(arrays, "path.", path);
        for (String name : List.of("lambda", "l1")) {
            arrays.put(
                    "path." + name,
                    each(
                            path,
                            one -> Double.parseDouble(
                                    one.provenance().settings().get(name))));
        }
        arrays.put("path.gap", each(path, one -> one.provenance().certificate().relativeGap()));
        arrays.put(
                "path.objective",
                each(path, one -> one.provenance().certificate().objective()));
    }

    /** A number of each. */
    static <T> double[] each(List<T> all, ToDoubleFunction<T> value) {
        return all.stream().mapToDouble(value).toArray();
    }

    private static void put(Map<String, Object> arrays, String prefix, List<LinearModel> models) {
        int scores = models.get(0).scores();
        int features = models.get(0).features();
        double[] weights = new double[Math.multiplyExact(models.size(), scores * features)];
        double[] intercepts = new double[models.size() * scores];
        for (int k = 0; k < intercepts.length; k++) {
            LinearModel model = models.get(k / scores);
            System.arraycopy(model.weights(k % scores), 0, weights, k * features, features);
            intercepts[k] = model.intercept(k % scores);
        }
        arrays.put(prefix + "weights", weights);
        arrays.put(prefix + "intercepts", intercepts);
    }

    private static byte[] bytes(LinearModel model) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            ModelFormat.all().get(0).write(model, out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }
}
