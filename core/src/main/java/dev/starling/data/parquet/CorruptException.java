package dev.starling.data.parquet;

/** Bytes are not what the format says they are. */
final class CorruptException extends RuntimeException {

    CorruptException(String message) {
        super(message);
    }
}
