package dev.starling.verify;

import dev.starling.data.InvalidInputException;
import dev.starling.data.RowSample;
import dev.starling.model.LinearModel;
import dev.starling.model.Provenance;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * What a model file claims about its model: the problem that it solves, and how well.
 *
 * @param loss the name of the loss
 * @param lambda λ in mean loss + (λ/2)‖θ‖² + λ₁‖θ‖₁
 * @param l1 λ₁
 * @param bias the value of the intercept's feature; 0 for none
 * @param intercept whether there is an intercept that was not regularised
 * @param scaling how features were scaled: {@code none}, {@code scale} or {@code standardize}
 * @param classWeights weights by label
 * @param balanced whether the class weights follow from the number of rows of each class instead
 * @param heldOut the rows that were not trained on
 * @param objective the stated objective
 * @param coefficientError by how many standard errors a coefficient may be off; infinite if that is not stated
 * @param aliased the indices, from 0, of the features that were left out
 * @param gap the smallest relative gap that the file states, in any of its members
 */
record Claim(
        String loss,
        double lambda,
        double l1,
        float bias,
        boolean intercept,
        String scaling,
        Map<Double, Double> classWeights,
        boolean balanced,
        RowSample heldOut,
        double objective,
        double coefficientError,
        List<Integer> aliased,
        double gap) {

    private static final int GZIP_MAGIC = 0x1f;
    private static final String BALANCED = "balanced";

    /**
     * Returns the claims of a model file: about the model itself and, if it holds a path, about every model on it.
     *
     * @throws InvalidInputException if the file does not say how the model was made, or states no objective
     */
    static List<Claim> of(LinearModel model, Path file) {
        requireCertificates(model, file.toString());
        return of(model, file.toString(), writtenGaps(file));
    }

    /** Returns the claims of a model: about itself and, if it has a path, about every model on it. */
    static List<Claim> of(LinearModel model) {
        requireCertificates(model, "the model");
        return of(model, "the model", Collections.nCopies(1 + model.path().size(), Double.POSITIVE_INFINITY));
    }

    private static List<Claim> of(LinearModel model, String file, List<Double> written) {
        List<Claim> claims = new ArrayList<>(List.of(of(model, file, written.get(0))));
        for (int k = 0; k < model.path().size(); k++) {
            claims.add(of(model.path().get(k), file, written.get(k + 1)));
        }
        return claims;
    }

    private static void requireCertificates(LinearModel model, String name) {
        Stream.concat(Stream.of(model), model.path().stream()).forEach(one -> requireCertificate(one, name));
    }

    private static void requireCertificate(LinearModel model, String file) {
        Provenance made = model.provenance();
        double proven = made.certificate().objective() - made.certificate().dual();
        if (!made.settings().containsKey("lambda") || !Double.isFinite(proven)) {
            throw new InvalidInputException(
                    file + " states no certificate; take a JSON model that Starling wrote when training ended");
        }
    }

    private static Claim of(LinearModel model, String file, double writtenGap) {
        Provenance provenance = model.provenance();
        Map<String, String> settings = provenance.settings();
        double objective = provenance.certificate().objective();
        double dual = provenance.certificate().dual();
        double lambda = number(settings, "lambda", 0);
        double l1 = number(settings, "l1", 0);
        double bias = number(settings, "bias", 0);
        if (!(lambda >= 0) || !(l1 >= 0) || !(bias >= 0)) {
            throw new InvalidInputException(
                    file + " states lambda " + lambda + ", l1 " + l1 + " and bias " + bias + "; none may be negative");
        }
        double gap = objective == 0 ? 0 : Math.max(Checker.RESOLUTION, (objective - dual) / objective);
        if (provenance.certified()) {
            gap = Math.min(gap, number(settings, "gap", Double.POSITIVE_INFINITY));
        }
        return new Claim(
                settings.getOrDefault("loss", model.loss()),
                lambda,
                l1,
                (float) bias,
                settings.getOrDefault("intercept", "false").equals("true"),
                settings.getOrDefault("scaling", "none"),
                classWeights(settings.getOrDefault("class-weights", "")),
                settings.getOrDefault("class-weights", "").equals(BALANCED),
                new RowSample(number(settings, "holdout", 0), seed(settings)),
                objective,
                provenance.exactness().standardErrors(),
                provenance.exactness().aliased(),
                Math.min(gap, writtenGap));
    }

    /**
     * The scaling that affects the optimum: without regularisation, scaling features does not change the best model,
     * and neither does centring them if there is an intercept.
     */
    String scalingThatDecides() {
        return isUnregularised() && (intercept || scaling.equals("scale")) ? "none" : scaling;
    }

    /** Whether weights are not penalised at all. */
    boolean isUnregularised() {
        return lambda == 0 && l1 == 0;
    }

    private static long seed(Map<String, String> settings) {
        String text = settings.getOrDefault("seed", "1");
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new InvalidInputException("the model's setting seed is '" + text + "', not a whole number", e);
        }
    }

    private static double number(Map<String, String> settings, String key, double usual) {
        String text = settings.get(key);
        return text == null ? usual : number(key, text);
    }

    private static double number(String key, String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new InvalidInputException("the model's setting " + key + " is '" + text + "', not a number", e);
        }
    }

    private static Map<Double, Double> classWeights(String text) {
        Map<Double, Double> weights = new TreeMap<>();
        for (String entry : text.isBlank() || text.equals(BALANCED) ? new String[0] : text.split(",", -1)) {
            int equals = entry.indexOf('=');
            weights.put(
                    number("class-weights", entry.substring(0, Math.max(0, equals))) + 0.0,
                    number("class-weights", entry.substring(equals + 1)));
        }
        return weights;
    }

    /**
     * Returns the values of the members "gap", first that of the training, then those of the path. They are there for
     * people to read; loading a model uses objective and dual instead.
     */
    private static List<Double> writtenGaps(Path file) {
        try (InputStream raw = new BufferedInputStream(Files.newInputStream(file))) {
            raw.mark(1);
            boolean compressed = raw.read() == GZIP_MAGIC;
            raw.reset();
            try (JsonParser json = new JsonFactory()
                    .createParser(ObjectReadContext.empty(), compressed ? new GZIPInputStream(raw) : raw)) {
                return gapsOf(json);
            }
        } catch (IOException | JacksonException e) {
            throw new InvalidInputException(file + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static List<Double> gapsOf(JsonParser json) {
        double training = Double.POSITIVE_INFINITY;
        List<Double> path = new ArrayList<>();
        json.nextToken();
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String member = json.currentName();
            json.nextToken();
            if (member.equals("training")) {
                training = gapOf(json);
            } else if (member.equals("path")) {
                while (json.nextToken() == JsonToken.START_OBJECT) {
                    path.add(gapOf(json));
                }
            } else {
                json.skipChildren();
            }
        }
        return Stream.concat(Stream.of(training), path.stream()).toList();
    }

    /** Returns the member "gap" of the object that begins here, and reads the object to its end. */
    private static double gapOf(JsonParser json) {
        double found = Double.POSITIVE_INFINITY;
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            boolean gap = json.currentName().equals("gap");
            found = json.nextToken().isNumeric() && gap ? json.getDoubleValue() : found;
            json.skipChildren();
        }
        return found;
    }
}
