package dev.starling.table.parquet;

/** Thrown when bytes are not what the format requires. */
final class CorruptException extends RuntimeException {

    CorruptException(String message) {
        super(message);
    }
}
