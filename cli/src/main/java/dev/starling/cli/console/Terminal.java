package dev.starling.cli.console;

/**
 * The terminal that stderr goes to. Java cannot find out its width; the launcher can, and passes it in the system
 * property {@code starling.columns}.
 *
 * @param columns the width of the terminal; 0 if stderr is not one
 */
public record Terminal(int columns) {

    private static final int USUAL_COLUMNS = 80;
    private static final int WIDEST_HELP = 100;
    private static final int NARROWEST_HELP = 72;

    public static Terminal ofStandardError() {
        String columns = System.getProperty("starling.columns", "0");
        try {
            return new Terminal(Integer.parseInt(columns.strip()));
        } catch (NumberFormatException e) {
            return new Terminal(USUAL_COLUMNS);
        }
    }

    /** The width of help: that of the terminal, within limits that keep it readable. */
    public int helpWidth() {
        return isInteractive() ? Math.max(NARROWEST_HELP, Math.min(WIDEST_HELP, columns)) : WIDEST_HELP;
    }

    public boolean isInteractive() {
        return columns > 0;
    }
}
