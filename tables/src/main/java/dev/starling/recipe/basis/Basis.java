package dev.starling.recipe.basis;

/** Functions of one number, each of which is a feature. */
public interface Basis {

    /** How many functions there are. */
    int width();

    /** Writes the values of all functions into the first elements of an array. */
    void at(double number, double[] values);
}
