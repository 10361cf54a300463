package dev.starling.node;

import dev.starling.data.InvalidInputException;

/**
 * How much a run may tell about the rows of a node, over all its sums: the least that any node allows, known to all
 * before the first.
 *
 * @param numbers numbers that may be added up
 * @param curvatures sums of them that may be of second derivatives
 * @param passes sums over rows at a point, in a run with curvatures
 * @param gradients the same in a run without
 * @param rows the fewest rows of a node that a sum may be of, unless it is of none
 */
public record ReleaseLimits(long numbers, int curvatures, int passes, int gradients, int rows) {

    /** Where all nodes have one owner. */
    public static final ReleaseLimits NONE =
            new ReleaseLimits(Long.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, 0);

    /** An equal share of it for each of several problems. */
    public ReleaseLimits sharedBy(int problems) {
        return problems == 1
                ? this
                : new ReleaseLimits(
                        numbers / problems, curvatures / problems, passes / problems, gradients / problems, rows);
    }

    /**
     * Before anything is told: every problem begins with a gradient, so that less than that would end in the middle.
     *
     * @throws InvalidInputException if it is less
     */
    public void requireGradients(int problems, int features) {
        long least = (long) problems * features;
        if (numbers < least) {
            throw new InvalidInputException("the rules of the site with the fewest values let " + numbers
                    + " numbers be told, and one gradient for each of " + problems
                    + (problems == 1 ? " model" : " models") + " takes " + least
                    + "; leave out columns, or raise that site's limit (policy: released-part)");
        }
    }
}
