package dev.starling.method;

/**
 * A kind of sum that the nodes of a method add up while they train.
 *
 * @param kind what it is called where sums are listed, in a site's ledger for example
 * @param numbers how many numbers it has
 * @param curvature which second derivatives it includes
 */
public record TrainingSum(String kind, long numbers, Curvature curvature) {

    /** Which second derivatives a sum includes. Rules that limit these count both kinds. */
    public enum Curvature {
        NONE,

        /** The diagonal of the Hessian, which says so little that the run counts as one without curvatures. */
        DIAGONAL,

        /** The whole Hessian. */
        HESSIAN
    }
}
