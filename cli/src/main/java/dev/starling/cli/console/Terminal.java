package dev.starling.cli.console;

/**
 * What is known of the terminal that stderr goes to. Java cannot ask; the launcher can, and says so in the system
 * property {@code starling.columns}.
 *
 * @param columns how wide it is; 0 if stderr is not a terminal
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

    /** How wide help may be: no line is longer than the terminal's, if there is one, or hard to read. */
    public int helpWidth() {
        return isInteractive() ? Math.max(NARROWEST_HELP, Math.min(WIDEST_HELP, columns)) : WIDEST_HELP;
    }

    public boolean isInteractive() {
        return columns > 0;
    }
}
