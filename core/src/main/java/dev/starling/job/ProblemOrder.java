package dev.starling.job;

/**
 * The order in which a job solves its problems: those of all rows, class by class for the first λ of the path, then for
 * the next; after them as many without the first fold, without the second, …
 *
 * @param classes problems for each λ: one, or one per class where there are more than two
 * @param points values of λ
 * @param folds folds of rows; 0 without cross-validation
 */
record ProblemOrder(int classes, int points, int folds) {

    /** How many problems are of all rows. */
    int whole() {
        return classes * points;
    }

    /** How many problems there are. */
    int all() {
        return whole() * (1 + folds);
    }

    /** The class whose problem it is. */
    int label(int index) {
        return index % classes;
    }

    /** Which λ of the path it is for. */
    int point(int index) {
        return index / classes % points;
    }

    /** The fold that it is without; −1 for none. */
    int fold(int index) {
        return index / whole() - 1;
    }

    /** The first problem of all rows for a λ. */
    int first(int point) {
        return point * classes;
    }

    /** The problem of the same class without the same fold, for another λ. */
    int atPoint(int index, int point) {
        return index + first(point) - first(point(index));
    }
}
