package dev.starling.lab.baseline;

/** A small dense matrix, to write recursions down the way papers do. */
final class Matrix {

    private final double[][] entries;

    Matrix(int rows, int columns) {
        this.entries = new double[rows][columns];
    }

    static Matrix ofRow(double[] row) {
        Matrix matrix = new Matrix(1, row.length);
        matrix.entries[0] = row.clone();
        return matrix;
    }

    static Matrix identity(int size) {
        Matrix matrix = new Matrix(size, size);
        for (int i = 0; i < size; i++) {
            matrix.entries[i][i] = 1;
        }
        return matrix;
    }

    int rows() {
        return entries.length;
    }

    private int columns() {
        return entries[0].length;
    }

    void set(int row, int column, double value) {
        entries[row][column] = value;
    }

    double entry(int row, int column) {
        return entries[row][column];
    }

    Matrix row(int row) {
        return ofRow(entries[row]);
    }

    void setRow(int row, Matrix values) {
        entries[row] = values.entries[0].clone();
    }

    Matrix plus(Matrix other) {
        return combined(1, other);
    }

    Matrix minus(Matrix other) {
        return combined(-1, other);
    }

    private Matrix combined(double scale, Matrix other) {
        Matrix sum = new Matrix(rows(), columns());
        for (int i = 0; i < rows(); i++) {
            for (int k = 0; k < columns(); k++) {
                sum.entries[i][k] = entries[i][k] + scale * other.entries[i][k];
            }
        }
        return sum;
    }

    Matrix scale(double scale) {
        return new Matrix(rows(), columns()).combined(scale, this);
    }

    Matrix over(double divisor) {
        return scale(1 / divisor);
    }

    Matrix mult(Matrix other) {
        Matrix product = new Matrix(rows(), other.columns());
        for (int i = 0; i < rows(); i++) {
            for (int k = 0; k < other.columns(); k++) {
                for (int j = 0; j < columns(); j++) {
                    product.entries[i][k] += entries[i][j] * other.entries[j][k];
                }
            }
        }
        return product;
    }

    Matrix transpose() {
        Matrix transposed = new Matrix(columns(), rows());
        for (int i = 0; i < rows(); i++) {
            for (int k = 0; k < columns(); k++) {
                transposed.entries[k][i] = entries[i][k];
            }
        }
        return transposed;
    }

    /** The sum of the products of all entries. */
    double dot(Matrix other) {
        double sum = 0;
        for (int i = 0; i < rows(); i++) {
            for (int k = 0; k < columns(); k++) {
                sum += entries[i][k] * other.entries[i][k];
            }
        }
        return sum;
    }

    double norm() {
        return Math.sqrt(dot(this));
    }

    double largest() {
        double largest = 0;
        for (double[] row : entries) {
            for (double entry : row) {
                largest = Math.max(largest, Math.abs(entry));
            }
        }
        return largest;
    }

    /** The row x with this·xᵀ = bᵀ, for a positive definite matrix: elimination without pivoting. */
    Matrix solve(Matrix b) {
        int size = rows();
        double[][] a = new double[size][];
        double[] x = b.entries[0].clone();
        for (int i = 0; i < size; i++) {
            a[i] = entries[i].clone();
        }
        for (int i = 0; i < size; i++) {
            for (int k = i + 1; k < size; k++) {
                double factor = a[k][i] / a[i][i];
                for (int j = i; j < size; j++) {
                    a[k][j] -= factor * a[i][j];
                }
                x[k] -= factor * x[i];
            }
        }
        for (int i = size - 1; i >= 0; i--) {
            for (int k = i + 1; k < size; k++) {
                x[i] -= a[i][k] * x[k];
            }
            x[i] /= a[i][i];
        }
        return ofRow(x);
    }
}
