package dev.starling.peer.policy;

import dev.starling.data.InvalidInputException;
import dev.starling.node.ReleaseLimits;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a site allows, according to its file. Its limits are sent to all others before the start, so that all can
 * observe the strictest.
 *
 * @param fewestSites a run with fewer sites is refused
 * @param twoSites whether a run with two sites is accepted, in which each can compute the other's sums
 * @param estimates whether neighbours may see estimates, from which rows can be computed
 * @param fewestRows how many of the site's own rows every sum must cover
 * @param releasedPart the most numbers that a run may release, as a fraction of the non-zero values that the site
 *     stores
 * @param mostPasses the most sums at a point in a run with curvatures
 * @param mostGradients the most sums at a point in a run without curvatures
 * @param mostCurvatures the most sums of curvatures in a run
 * @param mostPassesEver the most sums at a point over all runs on the same data
 * @param farthest the largest (λ/2)‖θ‖² of a point, in units of the objective at 0
 * @param leverage how much of what is released may depend on a single row, from 0 to 1
 * @param fewestPerColumn how many of the site's own rows a column (where it is not 0) or a class must have, if it has
 *     any; the site is warned if two columns have some rows in common, but fewer than this
 * @param independent how many of the other sites are believed not to share what they know; {@link #ALL} for all
 * @param masks whether addends are masked; must be the same at all sites
 * @param siteEstimates whether what this site's rows add up to may be shown, or computed by others, as estimates of its
 *     own are
 * @param audit whether the session's key is kept after the run, so that an audit can follow every masked word
 */
public record Policy(
        int fewestSites,
        boolean twoSites,
        boolean estimates,
        int fewestRows,
        double releasedPart,
        int mostPasses,
        int mostGradients,
        int mostCurvatures,
        int mostPassesEver,
        double farthest,
        double leverage,
        int fewestPerColumn,
        int independent,
        boolean masks,
        boolean siteEstimates,
        boolean audit) {

    /** Every other site is independent. */
    public static final int ALL = Integer.MAX_VALUE;

    /** The defaults. */
    public static final Policy DEFAULT =
            new Policy(3, false, false, 50, 0.5, 60, 300, 10, 1000, 4, 0.8, 10, ALL, true, false, false);

    private static final int TWO = 2;
    private static final long SUMS_IF_SCALED = 3;
    private static final int CLASSES_AND_MORE = 12;
    private static final String NUMBERS = "numbers";
    private static final String CURVATURES = "curvatures";
    private static final String PASSES = "passes";
    private static final String GRADIENTS = "gradients";
    private static final String FEWEST_ROWS = "fewest-rows";
    private static final String ESTIMATES = "estimates";
    private static final String TWO_SITES = "two-sites";
    private static final String FEWEST_SITES = "fewest-sites";
    private static final String MASKS = "masks";
    private static final String SITE_ESTIMATES = "site-estimates";

    /**
     * The limits that other sites must know, for a site that stores this many values.
     *
     * @param scaled whether means and deviations are released before training
     * @param besides how many numbers are released in addition to training: about folds, and afterwards to evaluate the
     *     model and for standard errors
     */
    public Map<String, Double> limits(long storedValues, int features, boolean scaled, long besides) {
        Map<String, Double> limits = new LinkedHashMap<>();
        long others = beforeTraining(features, scaled) + besides;
        limits.put(NUMBERS, Math.max(0, Math.floor(releasedPart * storedValues) - others));
        limits.put(CURVATURES, (double) mostCurvatures);
        limits.put(PASSES, (double) mostPasses);
        limits.put(GRADIENTS, (double) mostGradients);
        limits.put(FEWEST_ROWS, (double) fewestRows);
        limits.put(ESTIMATES, estimates ? 1.0 : 0.0);
        limits.put(TWO_SITES, twoSites ? 1.0 : 0.0);
        limits.put(FEWEST_SITES, (double) fewestSites);
        limits.put(MASKS, masks ? 1.0 : 0.0);
        limits.put(SITE_ESTIMATES, siteEstimates ? 1.0 : 0.0);
        // Nobody else needs these, but what the site adds to a sum depends on them, so that the session must.
        limits.put("released-part", releasedPart);
        limits.put("farthest", farthest);
        limits.put("leverage", leverage);
        limits.put("fewest-per-column", (double) fewestPerColumn);
        limits.put("audit", audit ? 1.0 : 0.0);
        return limits;
    }

    /**
     * The most numbers that are released before the first pass: presence of columns, counts of values, means and
     * deviations.
     */
    public static long beforeTraining(int features, boolean scaled) {
        return (scaled ? SUMS_IF_SCALED : 1) * (features + CLASSES_AND_MORE);
    }

    /** How many sites must have a column or class, if any has it: two know each other's sums. */
    public int fewestSitesTogether() {
        return twoSites ? Math.min(TWO, fewestSites) : fewestSites;
    }

    /** How many sites must be together in all runs, so that nobody learns the sums of one of them. */
    public int fewestSitesApart(int sites) {
        return DEFAULT.fewestSites + Math.max(0, sites - 1 - independent);
    }

    /** The strictest of all sites' limits. */
    public static ReleaseLimits strictest(Collection<Map<String, Double>> all) {
        long numbers = (long) least(all, NUMBERS);
        int curvatures = (int) least(all, CURVATURES);
        int rows = (int) most(all, FEWEST_ROWS, DEFAULT.fewestRows());
        return new ReleaseLimits(numbers, curvatures, (int) least(all, PASSES), (int) least(all, GRADIENTS), rows);
    }

    /** Whether every site lets its neighbours see estimates. */
    public static boolean allAcceptEstimates(Collection<Map<String, Double>> all) {
        return least(all, ESTIMATES) > 0;
    }

    /** Whether every site lets others see what its rows add up to. */
    public static boolean allShowSites(Collection<Map<String, Double>> all) {
        return least(all, SITE_ESTIMATES) > 0;
    }

    /**
     * Checks that all sites accept a run with this many sites.
     *
     * @throws InvalidInputException naming the rule that does not
     */
    public static void requireEnoughSites(Collection<Map<String, Double>> all) {
        int sites = all.size();
        if (all.stream()
                        .map(limits -> limits.getOrDefault(MASKS, 1.0))
                        .distinct()
                        .count()
                > 1) {
            throw new InvalidInputException(
                    "policy: masks is on at some sites and off at others; it must be the same at all sites");
        }
        double required = most(all, FEWEST_SITES, DEFAULT.fewestSites());
        if (sites == TWO) {
            if (!(least(all, TWO_SITES) > 0)) {
                throw new InvalidInputException("a run with two sites, in which each can compute the other's sums, "
                        + "needs 'two-sites: accept' under policy: in the files of both");
            }
        } else if (sites > 1 && sites < required) {
            throw new InvalidInputException(
                    "the run has " + sites + " sites; the rules of one of them require at least " + (int) required
                            + " (policy: fewest-sites)");
        }
    }

    private static double least(Collection<Map<String, Double>> all, String name) {
        return all.stream()
                .mapToDouble(limits -> limits.getOrDefault(name, 0.0))
                .min()
                .orElse(0);
    }

    private static double most(Collection<Map<String, Double>> all, String name, double defaultValue) {
        return all.stream()
                .mapToDouble(limits -> limits.getOrDefault(name, defaultValue))
                .max()
                .orElse(0);
    }
}
