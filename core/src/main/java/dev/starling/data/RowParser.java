package dev.starling.data;

/** Turns whole lines of text into rows. Stateless, so that several threads may share one. */
sealed interface RowParser permits LibsvmParser, CsvParser {

    /**
     * Parses lines up to the first bad one.
     *
     * @param bytes text whose last byte in use is a line end
     * @param length how many bytes are in use
     * @param rows receives the rows; empty at first
     */
    void parse(byte[] bytes, int length, ParsedRows rows);
}
