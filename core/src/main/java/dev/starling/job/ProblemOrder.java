package dev.starling.job;

/**
 * The order in which a job solves its problems: for the first λ of the path, the problems of all rows, class by class,
 * then those without the first fold, without the second, …; then the same for the next λ.
 *
 * @param classes the number of problems of all rows for each λ: one, or one per class if there are more than two and
 *     the loss takes one at a time
 * @param points the number of values of λ
 * @param folds the number of folds; 0 without cross-validation
 */
record ProblemOrder(int classes, int points, int folds) {

    /** The number of problems for each λ. */
    private int perPoint() {
        return classes * (1 + folds);
    }

    /** The number of all problems. */
    int all() {
        return perPoint() * points;
    }

    /** The index of the class of a problem. */
    int label(int index) {
        return index % classes;
    }

    /** The index of the λ of a problem. */
    int point(int index) {
        return index / perPoint();
    }

    /** The fold that a problem leaves out; −1 if it leaves out none. */
    int fold(int index) {
        return index / classes % (1 + folds) - 1;
    }

    /** The first problem of all rows for a λ. */
    int first(int point) {
        return point * perPoint();
    }

    /** The problem of the same class, leaving out the same fold, for another λ. */
    int atPoint(int index, int point) {
        return index + first(point) - first(point(index));
    }

    /** The problem of all rows of the same class and λ. */
    int ofAllRows(int index) {
        return first(point(index)) + label(index);
    }

    /** The problem of the same class and λ that leaves out a fold. */
    int without(int fold, int index) {
        return ofAllRows(index) + (1 + fold) * classes;
    }

    /** Whether a problem is the first for its λ; also true for the index after the last problem. */
    boolean isFirst(int index) {
        return index % perPoint() == 0;
    }
}
