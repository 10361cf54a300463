package dev.starling.table;

/** The numbers of a column in ascending order, wherever they are. */
public interface NumberOrder {

    /** The number of a rank, from 0. */
    double at(long rank);

    /** How many are not larger than a bound. */
    long upTo(double bound);

    /** The number that most rows have, the smallest of several such. */
    double mostFrequent();
}
