package dev.starling.node;

import dev.starling.data.InvalidInputException;

/**
 * How much a run may reveal about the rows of a node, over all its sums: the smallest limits of any node, agreed on
 * before the first sum.
 *
 * @param numbers the most numbers that may be added up
 * @param curvatures the most sums of second derivatives
 * @param passes the most sums over rows at a point, in a run that uses second derivatives
 * @param gradients the most sums over rows at a point, in a run that does not
 * @param rows the fewest rows of a node that a sum may cover, unless it covers none
 */
public record ReleaseLimits(long numbers, int curvatures, int passes, int gradients, int rows) {

    /** No limits, for nodes with one owner. */
    public static final ReleaseLimits NONE =
            new ReleaseLimits(Long.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE, 0);

    /** An equal share of these limits for each of several problems. */
    public ReleaseLimits sharedBy(int problems) {
        return problems == 1
                ? this
                : new ReleaseLimits(
                        numbers / problems, curvatures / problems, passes / problems, gradients / problems, rows);
    }

    /**
     * Checks, before anything is revealed, that the limits allow one gradient per problem: every problem starts with
     * one, so that a run with less could not finish.
     *
     * @throws InvalidInputException if they do not
     */
    public void requireGradients(int problems, int features) {
        long least = (long) problems * features;
        if (numbers < least) {
            throw new InvalidInputException("the rules of the site with the fewest values leave " + numbers
                    + " numbers to training, besides those that go before and after it ('starling peer --check' lists"
                    + " them), but one gradient for each of " + problems
                    + (problems == 1 ? " model" : " models") + " takes " + least
                    + "; leave out columns, or raise that site's limit (policy: released-part)");
        }
    }
}
