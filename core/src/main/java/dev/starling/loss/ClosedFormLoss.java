package dev.starling.loss;

/** A loss whose conjugate has a closed form within its domain. */
interface ClosedFormLoss extends Loss {

    /** ℓ*(s; y) for a slope s within the domain. */
    double conjugateInDomain(double slope, double label);

    @Override
    default double conjugate(double slope, double label) {
        if (slope >= smallestSlope(label) && slope <= largestSlope(label)) {
            return conjugateInDomain(slope, label);
        }
        return Double.isNaN(slope) ? Double.NaN : Double.POSITIVE_INFINITY;
    }
}
