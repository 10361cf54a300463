package dev.starling.peer.policy;

import dev.starling.data.Dataset;
import dev.starling.data.Labels;
import dev.starling.inference.HeterogeneityPhase;
import dev.starling.inference.InferencePhase;
import dev.starling.inference.RandomInterceptPhase;
import dev.starling.inference.TermInferencePhase;
import dev.starling.job.Holdout;
import dev.starling.loss.Likelihood;
import dev.starling.method.Method;
import dev.starling.method.Methods;
import dev.starling.method.Objective;
import dev.starling.method.Shape;
import dev.starling.method.TrainingSum;
import dev.starling.model.Differences;
import dev.starling.model.StandardErrors;
import dev.starling.model.TimeScale;
import dev.starling.node.SumKind;
import dev.starling.objective.Family;
import dev.starling.objective.InformationPass;
import dev.starling.settings.Settings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.function.Predicate;

/**
 * The most that a run would disclose about a site's rows under the site's own rules; known before the run. Other sites'
 * rules may reduce it, or turn a run with Hessians into one without.
 *
 * @param sites how many sites learn it
 * @param masks whether they learn only totals over all sites
 * @param method the training method, as far as this site's rows determine it
 * @param estimates whether neighbours see estimates as well, from which rows can be computed
 * @param rows the number of rows of the site
 * @param values the number of non-zero values that it stores
 * @param fewestRows how many of the site's rows every sum covers at least
 * @param sumsBefore number of sums before training
 * @param numbersBefore how many numbers these sums hold
 * @param numbersAfter how many numbers are released after training, about how well held-out rows are predicted; 0 if no
 *     rows are held out
 * @param numbersOfErrors how many numbers are released after training for standard errors, at most; 0 if none are asked
 *     for
 * @param differences how it is tested whether sites differ
 * @param countsEvents whether events are counted by intervals
 * @param testsHazards whether slopes and curvatures by time are added up, to test whether hazards are proportional
 * @param numbersOfFolds how many numbers are released about the folds of a cross-validation, before and after training;
 *     0 if there is none
 * @param fills how many of the sums before training determine the replacements for missing values
 * @param sums number of sums at a point during training, in a run without Hessians
 * @param sumsWithHessians the same in a run with Hessians; 0 if there is no such run
 * @param curvatures how many sums include second derivatives: a Hessian, or in a run without them its diagonal
 * @param diagonals whether some of them may include only the diagonal of a Hessian
 * @param gradientNumbers how many numbers a sum without a Hessian holds; 0 if there is none
 * @param hessianNumbers how many numbers a sum with a Hessian holds; 0 if there is none
 * @param numbers how many numbers all sums may hold together
 * @param smallCells number of pairs of 0/1 columns that only few of the site's rows have in common
 * @param passesBefore number of sums at a point in earlier runs on these rows
 */
public record Disclosure(
        int sites,
        boolean masks,
        String method,
        boolean estimates,
        long rows,
        long values,
        long fewestRows,
        int sumsBefore,
        long numbersBefore,
        int numbersAfter,
        int numbersOfErrors,
        Differences differences,
        boolean countsEvents,
        boolean testsHazards,
        long numbersOfFolds,
        int fills,
        long sums,
        long sumsWithHessians,
        long curvatures,
        boolean diagonals,
        long gradientNumbers,
        long hessianNumbers,
        long numbers,
        int smallCells,
        long passesBefore) {

    private static final int TWO = 2;

    /**
     * Computes what a run of this many sites would disclose.
     *
     * @param fills how many sums determine the replacements for missing values
     * @param ofFills how many numbers these have
     */
    public static Disclosure of(
            Policy policy, Settings settings, Dataset rows, int sites, long passesBefore, int fills, long ofFills) {
        int classes = settings.loss().isClassification()
                ? (int) Arrays.stream(rows.labels()).distinct().count()
                : 0;
        int features = features(settings, rows);
        Shape shape = new Shape(features, rows.rows(), rows.storedValues(), rows.nonZeros(), rows.isDense());
        Objective objective = objective(settings, rows);
        Method method = Methods.chosen(settings.method(), objective, shape);
        boolean scaled = settings.gathersMoments();
        boolean balanced = settings.classWeights().balanced();
        // Presence of columns and classes, rows per class, counts of values, means with their divisors, deviations.
        long before =
                rows.features() + classes + (balanced ? classes : 0) + 2L + (scaled ? 2L * rows.features() + 2 : 0);
        long numbers = (long) Math.floor(policy.releasedPart() * rows.nonZeros());
        List<TrainingSum> sums = method.trainingSums(objective, shape);
        LongSummaryStatistics plain = lengths(sums, kind -> kind.isAtPoint() && kind != SumKind.HESSIAN);
        LongSummaryStatistics curved = lengths(sums, SumKind::isCurved);
        LongSummaryStatistics hessians = lengths(sums, kind -> kind == SumKind.HESSIAN);
        long curvatures = most(policy.mostCurvatures(), numbers, curved);
        boolean mayHaveHessians = curvatures > 0 && hessians.getCount() > 0 && hessians.getMin() <= numbers;
        return new Disclosure(
                sites,
                policy.masks(),
                method.name(),
                method.tellsMoreThanSums(),
                rows.rows(),
                rows.nonZeros(),
                Math.min(rows.rows(), policy.fewestRows()),
                (scaled ? 4 : 2) + (balanced ? 1 : 0) + fills,
                before + ofFills,
                Holdout.numbersToEvaluate(settings, rows),
                numbersOfErrors(settings, rows, sites),
                settings.heterogeneity(),
                settings.curves().isAsked(),
                settings.proportionalHazards() != TimeScale.NONE,
                settings.folds().numbers(sites, settings.path().size()),
                fills,
                most(policy.mostGradients(), numbers, plain),
                mayHaveHessians ? most(policy.mostPasses(), numbers, plain) : 0,
                curvatures,
                curvatures > 0 && sums.stream().anyMatch(sum -> sum.kind() == SumKind.DIAGONAL),
                Math.max(0, plain.getMax()),
                mayHaveHessians ? Math.max(0, hessians.getMax()) : 0,
                numbers,
                ColumnCheck.smallCells(rows, policy),
                passesBefore);
    }

    /** The most numbers that are released after training for standard errors, in a run of this many sites. */
    public static int numbersOfErrors(Settings settings, Dataset rows, int sites) {
        if (settings.standardErrors() == StandardErrors.NONE) {
            return 0;
        }
        Objective objective = objective(settings, rows);
        int features = features(settings, rows);
        Differences asked = settings.heterogeneity();
        int coefficients = objective.loss().parameters(features);
        return (asked.isAsked() ? HeterogeneityPhase.numbers(coefficients, sites, asked) : 0)
                + (settings.standardErrors().sumsClusters() ? 1 : 0)
                + (settings.standardErrors() == StandardErrors.RANDOM_INTERCEPT
                        ? RandomInterceptPhase.numbers(coefficients)
                        : 0)
                + 2
                        * (1 + settings.curves().times().size())
                        * (1 + settings.curves().features(rows.names()).length)
                + numbersOfInformation(settings, objective, features, rows.hasOffsets() && objective.intercept());
    }

    private static int features(Settings settings, Dataset rows) {
        return rows.features() + (settings.constantFeature() > 0 ? 1 : 0);
    }

    private static int numbersOfInformation(Settings settings, Objective objective, int features, boolean searched) {
        return objective.loss() instanceof Likelihood family
                ? InformationPass.numbers(family, features)
                        + InformationPass.boundNumbers(
                                features,
                                settings.standardErrors().isRobust(),
                                settings.standardErrors() == StandardErrors.CR2)
                        + InferencePhase.nullNumbers(searched)
                : TermInferencePhase.numbers(
                        Family.of(objective.loss(), false),
                        features,
                        objective.intercept(),
                        settings.proportionalHazards());
    }

    /** The objective for as many classes as the site has or its settings list; other sites may have further ones. */
    static Objective objective(Settings settings, Dataset rows) {
        int listed = Math.max(2, settings.labels().size());
        int classes =
                settings.loss().isClassification() ? Math.max(listed, Labels.distinct(rows.labels()).length) : listed;
        return settings.forClasses(classes).objective();
    }

    private static LongSummaryStatistics lengths(List<TrainingSum> sums, Predicate<SumKind> which) {
        return sums.stream()
                .filter(sum -> which.test(sum.kind()))
                .mapToLong(TrainingSum::numbers)
                .summaryStatistics();
    }

    /**
     * Returns how many sums there can be: the rules limit their number and, through their lengths, the numbers in all.
     */
    private static long most(long allowed, long numbers, LongSummaryStatistics lengths) {
        return lengths.getCount() == 0 ? 0 : Math.min(allowed, numbers / lengths.getMin());
    }

    private static String ofAtMost(long numbers) {
        return numbers > 0 ? ", of at most " + numbers + " numbers each" : "";
    }

    /** Describes it in words, one sentence per entry. */
    public List<String> words(Policy policy) {
        List<String> sentences = new ArrayList<>();
        sentences.add(
                !masks
                        ? "masks are off: neighbours see this site's own part of every sum"
                        : sites == TWO
                                ? "the other site learns totals over both, and therefore this site's own part of every sum"
                                : "this site's part of every sum is masked: the other " + (sites - 1)
                                        + " sites learn only totals over all " + sites);
        sentences.add("every sum covers at least " + fewestRows + " of the site's " + rows + " rows");
        sentences.add("before training, " + sumsBefore + " sums with " + numbersBefore
                + " numbers in all: which columns and classes it has, how many values"
                + ((sumsBefore - fills) % TWO == 1 ? ", how many rows of each class" : "")
                + (fills > 0 ? ", replacements for missing values" : "")
                + (sumsBefore - fills > TWO + 1 ? ", means and deviations" : ""));
        if (estimates) {
            sentences.add(
                    "during training with " + method + ", neighbours see estimates, from which rows can be computed");
        } else {
            sentences.add("during training with " + method + ", at most " + sums + " sums at a point"
                    + ofAtMost(gradientNumbers)
                    + (diagonals ? ", at most " + curvatures + " of them with the diagonal of a Hessian" : "")
                    + (sumsWithHessians > 0
                            ? "; or, with Hessians, at most " + sumsWithHessians + ", of which at most " + curvatures
                                    + " include one" + ofAtMost(hessianNumbers)
                            : ""));
            sentences.add("at most " + numbers + " numbers in all, while the site stores " + values
                    + " values that are not 0 (policy: released-part)");
        }
        if (numbersAfter > 0) {
            sentences.add("after training, 3 sums with " + numbersAfter
                    + " numbers in all: how many held-out rows each bin has, and how well they are"
                    + " predicted");
        }
        if (numbersOfErrors > 0) {
            sentences.add("after training, 3 sums or more with at most " + numbersOfErrors
                    + " numbers in all, for standard errors: the information about the coefficients, which counts as"
                    + " curvatures, dispersion and likelihood, and the model without features"
                    + (differences.isAsked()
                            ? "; and how much sites differ (heterogeneity: " + differences.text() + ")"
                            : "")
                    + (countsEvents ? ", and before it how many rows have events in each interval" : "")
                    + (testsHazards
                            ? ", and one more sum that counts as a curvature: slopes and curvatures by time, to test whether"
                                    + " hazards are proportional"
                            : ""));
        }
        if (differences.bySite()) {
            sentences.add(
                    "after training, this site's own estimates with their variances, and sums over all other sites:"
                            + " others can compute what this site's rows add up to (policy: site-estimates)");
        }
        if (numbersOfFolds > 0) {
            sentences.add("2 sums with at most " + numbersOfFolds
                    + " numbers in all about folds: how many rows are outside each, and how well those inside are"
                    + " predicted; all models of the cross-validation share what training may release");
        }
        if (smallCells > 0 && curvatures > 0) {
            sentences.add(smallCells + (smallCells == 1 ? " pair" : " pairs") + " of 0/1 columns "
                    + (smallCells == 1 ? "has" : "have") + " 1 to " + (policy.fewestPerColumn() - 1)
                    + " of the site's rows in common; sums of curvatures reveal such counts, added up over all sites");
        }
        if (passesBefore > 0) {
            long share = Math.round(
                    100.0 * (passesBefore + Math.max(sums, sumsWithHessians)) / Math.max(1, policy.mostPassesEver()));
            sentences.add(passesBefore + " sums at a point about these people were released in earlier runs, of "
                    + policy.mostPassesEver() + " that are allowed (policy: passes-ever); with this run it may be "
                    + share
                    + " % of that");
        }
        return sentences;
    }
}
