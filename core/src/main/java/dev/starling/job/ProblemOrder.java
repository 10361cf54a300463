package dev.starling.job;

/**
 * The order in which a job solves its problems: for the first λ of the path those of all rows, class by class, then as
 * many without the first fold, without the second, …; after them all of these for the next λ.
 *
 * @param classes problems for each λ: one, or one per class where there are more than two
 * @param points values of λ
 * @param folds folds of rows; 0 without cross-validation
 */
record ProblemOrder(int classes, int points, int folds) {

    /** How many problems each λ has. */
    private int perPoint() {
        return classes * (1 + folds);
    }

    /** How many problems there are. */
    int all() {
        return perPoint() * points;
    }

    /** The class whose problem it is. */
    int label(int index) {
        return index % classes;
    }

    /** Which λ of the path it is for. */
    int point(int index) {
        return index / perPoint();
    }

    /** The fold that it is without; −1 for none. */
    int fold(int index) {
        return index / classes % (1 + folds) - 1;
    }

    /** The first problem of all rows for a λ. */
    int first(int point) {
        return point * perPoint();
    }

    /** The problem of the same class without the same fold, for another λ. */
    int atPoint(int index, int point) {
        return index + first(point) - first(point(index));
    }

    /** The problem of all rows of the same class and λ. */
    int ofAllRows(int index) {
        return first(point(index)) + label(index);
    }

    /** The problem of the same class and λ without a fold. */
    int without(int fold, int index) {
        return ofAllRows(index) + (1 + fold) * classes;
    }

    /** Whether a problem begins what is solved for its λ, or would, if there were another λ. */
    boolean isFirst(int index) {
        return index % perPoint() == 0;
    }
}
