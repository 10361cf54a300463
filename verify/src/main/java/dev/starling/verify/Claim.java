package dev.starling.verify;

import dev.starling.certificate.Certificate;
import dev.starling.data.InvalidInputException;
import dev.starling.data.keys.RowSample;
import dev.starling.model.LinearModel;
import dev.starling.model.Provenance;
import dev.starling.verify.digits.DoubleDoubles;
import dev.starling.verify.loss.CheckedLoss;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What a model file claims about its model: the problem that it solves, and how well.
 *
 * @param loss the name of the loss
 * @param lambda λ in mean loss + (λ/2)‖θ‖² + λ₁‖θ‖₁
 * @param l1 λ₁
 * @param bias the value of the intercept's feature; 0 for none
 * @param intercept whether there is an intercept that was not regularised
 * @param scaling how features were scaled: {@code none}, {@code scale} or {@code standardize}
 * @param rounded whether values were rounded to floats
 * @param classWeights weights by label
 * @param balanced whether the class weights follow from the number of rows of each class instead
 * @param heldOut the rows that were not trained on
 * @param objective the stated objective
 * @param error what the stated gap includes for rounding
 * @param scale what the gap is relative to
 * @param bound what the optimum is not below; −∞ if the file does not say
 * @param coefficientError by how many standard errors a coefficient may be off; infinite if that is not stated
 * @param aliased the indices, from 0, of the features that were left out
 * @param gap the smallest relative gap that the file states, in any of its members; infinite if it states none
 */
record Claim(
        String loss,
        double lambda,
        double l1,
        float bias,
        boolean intercept,
        String scaling,
        boolean rounded,
        Map<Double, Double> classWeights,
        boolean balanced,
        RowSample heldOut,
        double objective,
        double error,
        double scale,
        double bound,
        double coefficientError,
        List<Integer> aliased,
        double gap) {

    /**
     * Returns the claims of a model file: about the model itself and, if it holds a path, about every model on it.
     *
     * @throws InvalidInputException if the file does not say how the model was made, or states no objective
     */
    static List<Claim> of(LinearModel model, Path file) {
        requireCertificates(model, file.toString());
        return of(model, file.toString(), WrittenGaps.of(file));
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
        StatedSettings settings = new StatedSettings(file, provenance.settings());
        double requested = settings.bound("gap", Double.POSITIVE_INFINITY);
        Claim claim = new Claim(
                settings.text("loss", model.loss()),
                settings.size("lambda"),
                settings.size("l1"),
                (float) settings.size("bias"),
                settings.truth("intercept"),
                settings.text("scaling", "none"),
                settings.rounds(),
                settings.classWeights(),
                settings.text("class-weights", "").equals(StatedSettings.BALANCED),
                new RowSample(settings.fraction("holdout"), settings.whole("seed", 1)),
                provenance.certificate().objective(),
                provenance.certificate().error(),
                provenance.certificate().scale(),
                provenance.certificate().bound(),
                provenance.exactness().standardErrors(),
                provenance.exactness().aliased(),
                Math.min(
                        Math.min(stated(provenance.certificate()), writtenGap),
                        provenance.certified() ? requested : Double.POSITIVE_INFINITY));
        claim.requireConsistent(model, file);
        return claim;
    }

    /**
     * (objective − dual + error)/scale, but at least what rounding leaves uncertain; infinite if that is open, and
     * negative, which nothing proves, if the lower bound is above the objective by more than rounding.
     */
    private static double stated(Certificate certificate) {
        double objective = certificate.objective();
        double distance = objective - certificate.dual() + certificate.error();
        if (certificate.scale() == 0) {
            return distance > 0 ? Double.POSITIVE_INFINITY : distance;
        }
        double gap = distance / certificate.scale();
        return gap < -DoubleDoubles.RESOLUTION ? gap : Math.max(DoubleDoubles.RESOLUTION, gap);
    }

    /** Refuses what no training can have asked for, and what contradicts the model. */
    private void requireConsistent(LinearModel model, String file) {
        require(
                CheckedLoss.named(loss).equals(CheckedLoss.named(model.loss())),
                file + " states the losses " + model.loss() + " and " + loss + "; a model has one");
        require(
                bias == 0 || !intercept,
                file + " states a bias of " + bias + " and a free intercept; a model has at most one of them");
        require(
                model.isClassifier() || (classWeights.isEmpty() && !balanced),
                file + " states class weights for a model that has no classes");
        require(
                new TreeSet<>(model.classes()).size() == model.classes().size(),
                file + " states the classes " + model.classes() + ", one of them twice");
        for (int feature : aliased) {
            require(
                    feature >= 0 && feature < model.features(),
                    file + " leaves out feature " + feature + ", counted from 0, of " + model.features());
        }
    }

    private static void require(boolean holds, String problem) {
        if (!holds) {
            throw new InvalidInputException(problem + "; take the file that training wrote");
        }
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
}
