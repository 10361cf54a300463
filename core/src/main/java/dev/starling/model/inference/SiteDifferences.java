package dev.starling.model.inference;

/**
 * How much nodes differ, as sums over them.
 *
 * @param sums the sum of their squared slopes in units of their Hessians, the numbers of nodes in it and with estimates
 *     of their own and, perhaps, four sums of each coefficient; empty if not asked for
 * @param columns the statistic of the test that the coefficients of some columns are the same, its degrees of freedom
 *     and how many features these are; empty if not asked for
 * @param bySite for every node, in the order of nodes, {@link #OF_SITE} numbers and as many for each coefficient; empty
 *     unless all owners have given leave
 */
public record SiteDifferences(double[] sums, double[] columns, double[] bySite) {

    /**
     * How many numbers of a node, and of each of its coefficients, there are: whether it has an estimate, and whether
     * the others have one without it; its estimates and their variances, then those of the others.
     */
    public static final int OF_SITE = 2;

    /** How many numbers there are for each coefficient of a node. */
    public static final int OF_COEFFICIENT = 4;

    /** Not asked for. */
    public static final SiteDifferences NONE = new SiteDifferences(new double[0], new double[0], new double[0]);

    /** A copy that shares no array with this. */
    SiteDifferences copy() {
        return new SiteDifferences(sums.clone(), columns.clone(), bySite.clone());
    }
}
