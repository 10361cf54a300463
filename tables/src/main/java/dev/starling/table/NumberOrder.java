package dev.starling.table;

/** The numbers of a column in ascending order, wherever they are. */
public interface NumberOrder {

    /** The number with the given rank, from 0. */
    double at(long rank);

    /** How many numbers are not larger than a bound. */
    long upTo(double bound);

    /** The most frequent number, the smallest of several. */
    double mostFrequent();
}
