package dev.starling.lab.leakage;

/**
 * A row that was rebuilt from what was disclosed.
 *
 * @param attack the name of the attack
 * @param from what it was rebuilt from
 * @param row the features, in the order of the totals or terms; up to a factor if {@code scaled} is false
 * @param scaled whether the size is known as well as the direction
 */
public record Finding(String attack, String from, double[] row, boolean scaled) {

    /** The relative distance to a true row, up to a factor if the size is not known. */
    public double distance(double[] truth) {
        double own = 0;
        double theirs = 0;
        double common = 0;
        int count = Math.min(row.length, truth.length);
        for (int k = 0; k < count; k++) {
            own += row[k] * row[k];
            theirs += truth[k] * truth[k];
            common += row[k] * truth[k];
        }
        if (own == 0 || theirs == 0) {
            return 1;
        }
        double factor = scaled ? Math.signum(common) : common / own;
        double rest = 0;
        for (int k = 0; k < count; k++) {
            double apart = factor * row[k] - truth[k];
            rest += apart * apart;
        }
        return Math.sqrt(rest / theirs);
    }
}
