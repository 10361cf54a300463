package dev.starling.table;

/** The numbers of a column, as far as a survey is asked about them. */
interface ColumnNumbers extends NumberOrder {

    long count();

    /** The exact sum of those that are finite. */
    ExactTotal total();

    /** Numbers that stay where they are: only their order is asked for. */
    record Elsewhere(long count, ExactTotal total, NumberOrder order) implements ColumnNumbers {

        @Override
        public double at(long rank) {
            return order.at(rank);
        }

        @Override
        public long upTo(double bound) {
            return order.upTo(bound);
        }

        @Override
        public double mostFrequent() {
            return order.mostFrequent();
        }
    }
}
