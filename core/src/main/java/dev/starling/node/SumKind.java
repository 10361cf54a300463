package dev.starling.node;

import java.util.Locale;

/**
 * What a sum over the rows of several owners tells about them. The rules of a site decide by this alone, so a sum has
 * the kind of the most telling of its numbers.
 */
public enum SumKind {
    /** Nothing about rows: values that a node may share openly. */
    NOTHING,

    /** Which columns and classes a node has; the totals are numbers of nodes. */
    PRESENCE,

    /** How many rows, or stored values, there are, and what they weigh: in all, by class or by fold. */
    COUNTS,

    /** Moments and other sums of columns and labels, which depend on no model. */
    COLUMNS,

    /** How well a finished model predicts rows that it was not trained on. */
    PREDICTIONS,

    /** Certificates of estimates that neighbours see anyway; each node's owner has consented to that. */
    ESTIMATES,

    /** Slopes of the losses along a line: rows, each multiplied by its slope, then by one direction. */
    LINE,

    /** Losses and gradients at a point: rows, each multiplied by its slope. */
    GRADIENT,

    /** As {@link #GRADIENT}, with the diagonal of the Hessian. */
    DIAGONAL,

    /** Products of rows with themselves, each multiplied by its curvature; with or without losses and gradients. */
    HESSIAN,

    /**
     * What the rows of single owners add up to, or numbers from which that can be computed: needs everybody's leave.
     */
    SITES,

    /** Anything else. Rules cannot tell how much it reveals, so it is added up only by nodes with one owner. */
    OTHER;

    /** Returns whether each row counts as much as the slope or curvature of its loss at a point. */
    public boolean isAtPoint() {
        return switch (this) {
            case LINE, GRADIENT, DIAGONAL, HESSIAN -> true;
            case NOTHING, PRESENCE, COUNTS, COLUMNS, PREDICTIONS, ESTIMATES, SITES, OTHER -> false;
        };
    }

    /** Returns whether it includes second derivatives. */
    public boolean isCurved() {
        return this == DIAGONAL || this == HESSIAN;
    }

    /** Returns its name in ledgers and messages. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
