package dev.starling.table;

/** What a survey has to know about the numbers of a column. */
interface ColumnNumbers extends NumberOrder {

    long count();

    /** The exact sum of those that are finite. */
    ExactTotal total();

    /** Numbers that are not in memory here: only questions about their order are passed on. */
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
