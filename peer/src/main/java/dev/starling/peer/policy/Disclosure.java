package dev.starling.peer.policy;

import dev.starling.data.Dataset;
import dev.starling.job.Holdout;
import dev.starling.job.Scaling;
import dev.starling.job.Settings;
import dev.starling.method.Method;
import dev.starling.method.Methods;
import dev.starling.method.Shape;
import dev.starling.method.TrainingSum;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.LongSummaryStatistics;

/**
 * What a run would tell others about a site's rows, at most, by the site's own rules; known before the run. Other
 * sites' rules may make it less, or turn a run with curvatures into one without.
 *
 * @param sites who learns it
 * @param masks whether they learn totals only
 * @param method by which training goes, as far as this site's rows decide that
 * @param estimates whether neighbours see estimates as well, from which rows can be computed
 * @param rows of the site
 * @param values that it stores
 * @param fewestRows rows of the site that every sum covers at least
 * @param sumsBefore sums before training
 * @param numbersBefore numbers in them
 * @param numbersAfter numbers after training, which say how well rows kept from it are predicted; 0 if none are
 * @param numbersOfFolds numbers about the folds of a cross-validation, before training and after it; 0 if there are
 *     none
 * @param fills those of the sums before training that are about what stands in for missing values
 * @param sums sums at a point while training, in a run without curvatures
 * @param sumsWithCurvatures the same in a run with curvatures; 0 if there is no such run
 * @param curvatures how many of those include curvatures
 * @param gradientNumbers numbers in a sum without curvatures; 0 if the method does not say
 * @param curvatureNumbers numbers in a sum with curvatures; 0 if the method does not say
 * @param numbers numbers told, all sums together
 * @param smallCells pairs of 0/1 columns that few of the site's rows have both of
 * @param passesBefore sums at a point in earlier runs on these rows
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
        long numbersOfFolds,
        int fills,
        long sums,
        long sumsWithCurvatures,
        long curvatures,
        long gradientNumbers,
        long curvatureNumbers,
        long numbers,
        int smallCells,
        long passesBefore) {

    private static final int TWO = 2;

    /** What a run of so many sites would tell about rows. */
    public static Disclosure of(Policy policy, Settings settings, Dataset rows, int sites, long passesBefore) {
        int classes = settings.loss().isClassification()
                ? (int) Arrays.stream(rows.labels()).distinct().count()
                : 0;
        int features = rows.features() + (settings.constantFeature() > 0 ? 1 : 0);
        Shape shape = new Shape(features, rows.rows(), rows.storedValues(), rows.nonZeros(), rows.isDense());
        Method method = Methods.chosen(settings.method(), settings.objective(), shape);
        boolean scaled = settings.scaling() != Scaling.NONE;
        boolean balanced = settings.classWeights().balanced();
        // Presence of columns and classes, rows of classes, numbers of values, means with what they are divided by,
        // deviations.
        long before =
                rows.features() + classes + (balanced ? classes : 0) + 2L + (scaled ? 2L * rows.features() + 2 : 0);
        long numbers = (long) Math.floor(policy.releasedPart() * rows.nonZeros());
        List<TrainingSum> sums = method.trainingSums(settings.objective(), shape);
        LongSummaryStatistics plain = lengths(sums, false);
        LongSummaryStatistics curved = lengths(sums, true);
        // A method that does not say what it adds up may add up whatever the site's rules allow.
        long curvatures =
                !sums.isEmpty() && curved.getCount() == 0 ? 0 : most(policy.mostCurvatures(), numbers, curved);
        return new Disclosure(
                sites,
                policy.masks(),
                method.name(),
                method.tellsMoreThanSums(),
                rows.rows(),
                rows.nonZeros(),
                Math.min(rows.rows(), policy.fewestRows()),
                (scaled ? 4 : 2) + (balanced ? 1 : 0),
                before,
                Holdout.numbersToJudge(settings, rows),
                settings.path().numbersOfFolds(sites),
                0,
                most(policy.mostGradients(), numbers, plain),
                curvatures > 0 ? policy.mostPasses() : 0,
                curvatures,
                Math.max(0, plain.getMax()),
                Math.max(0, curved.getMax()),
                numbers,
                ColumnCheck.smallCells(rows, policy),
                passesBefore);
    }

    private static LongSummaryStatistics lengths(List<TrainingSum> sums, boolean curved) {
        return sums.stream()
                .filter(sum -> sum.curved() == curved)
                .mapToLong(TrainingSum::numbers)
                .summaryStatistics();
    }

    /** How many sums there can be: as many as rules allow, and as have room among the numbers that may be told. */
    private static long most(long allowed, long numbers, LongSummaryStatistics lengths) {
        return lengths.getCount() == 0 ? allowed : Math.min(allowed, numbers / lengths.getMin());
    }

    /** The same with further sums before training: of what stands in for missing values. */
    public Disclosure with(int furtherSums, long furtherNumbers) {
        return new Disclosure(
                sites,
                masks,
                method,
                estimates,
                rows,
                values,
                fewestRows,
                sumsBefore + furtherSums,
                numbersBefore + furtherNumbers,
                numbersAfter,
                numbersOfFolds,
                fills + furtherSums,
                sums,
                sumsWithCurvatures,
                curvatures,
                gradientNumbers,
                curvatureNumbers,
                numbers,
                smallCells,
                passesBefore);
    }

    private static String ofAtMost(long numbers) {
        return numbers > 0 ? ", of at most " + numbers + " numbers each" : "";
    }

    /** The same in words, a sentence each. */
    public List<String> words(Policy policy) {
        List<String> words = new ArrayList<>();
        words.add(
                !masks
                        ? "masks are off: neighbours see this site's own part of every sum"
                        : sites == TWO
                                ? "the other site learns totals over both, and so this site's own part of every sum"
                                : "this site's part of every sum is under masks: the other " + (sites - 1)
                                        + " sites learn totals over all " + sites);
        words.add("every sum covers at least " + fewestRows + " of the site's " + rows + " rows");
        words.add("before training " + sumsBefore + " sums of " + numbersBefore
                + " numbers: which columns and classes it has, how many values"
                + ((sumsBefore - fills) % TWO == 1 ? ", rows of each class" : "")
                + (fills > 0 ? ", what stands in for missing values" : "")
                + (sumsBefore - fills > TWO + 1 ? ", means and deviations" : ""));
        if (estimates) {
            words.add("while training by " + method + " neighbours see estimates, from which rows can be computed");
        } else {
            words.add("while training by " + method + " at most " + sums + " sums at a point"
                    + ofAtMost(gradientNumbers)
                    + (curvatures > 0
                            ? "; or, with curvatures, at most " + sumsWithCurvatures + ", of which at most "
                                    + curvatures + " include them" + ofAtMost(curvatureNumbers)
                            : ""));
            words.add("at most " + numbers + " numbers in all, and the site stores " + values
                    + " values that are not 0 (policy: released-part)");
        }
        if (numbersAfter > 0) {
            words.add("after training 2 sums of " + numbersAfter
                    + " numbers: how well the rows that were kept from it are predicted");
        }
        if (numbersOfFolds > 0) {
            words.add("2 sums of at most " + numbersOfFolds
                    + " numbers about folds: how many rows are outside of each, and"
                    + " how well those inside are predicted; the models without a fold share what training may tell");
        }
        if (smallCells > 0 && curvatures > 0) {
            words.add(smallCells + (smallCells == 1 ? " pair" : " pairs") + " of 0/1 columns "
                    + (smallCells == 1 ? "has" : "have") + " 1 to " + (policy.smallCells() - 1)
                    + " of the site's rows in common; sums of curvatures tell such counts, added up over all sites");
        }
        if (passesBefore > 0) {
            words.add(passesBefore + " sums at a point were told of these rows in earlier runs, of "
                    + policy.mostPassesEver() + " that are allowed (policy: passes-ever)");
        }
        return words;
    }
}
