package dev.starling.table.database;

import dev.starling.data.InvalidInputException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The address of a database, which may contain a password: only {@link #shown} may be printed or stored. */
final class DatabaseUrl {

    private static final Pattern SCHEME = Pattern.compile("jdbc:[A-Za-z0-9+.-]+:.*", Pattern.DOTALL);
    private static final Pattern SETTING = Pattern.compile("[?&;]([^=&;]*)=([^&;]*)");
    private static final Pattern SECRET = Pattern.compile("(?i).*(pass|pwd|secret|token|key).*");
    private static final String HIDDEN = "***";

    private final String text;
    private final String shown;
    private final List<String> secrets = new ArrayList<>();

    /**
     * Creates an address as the user gave it.
     *
     * @throws InvalidInputException if it is malformed
     */
    DatabaseUrl(String text) {
        if (!SCHEME.matcher(text).matches()) {
            throw new InvalidInputException(
                    "--jdbc must be the address of a database, as in jdbc:postgresql://localhost/people");
        }
        this.text = text;
        String address = text.split("[?;]", 2)[0];
        int at = address.lastIndexOf('@');
        this.shown = at < 0 ? address : withoutUser(address, at);
        secrets.add(text);
        Matcher setting = SETTING.matcher(text);
        while (setting.find()) {
            if (SECRET.matcher(setting.group(1)).matches()) {
                secrets.add(setting.group(2));
            }
        }
        if (at >= 0) {
            String user = address.substring(0, at);
            secrets.add(user.substring(Math.max(user.lastIndexOf(':'), user.lastIndexOf('/')) + 1));
        }
    }

    private static String withoutUser(String address, int at) {
        String scheme = address.substring(0, address.indexOf(':', "jdbc:".length()) + 1);
        String host = address.substring(at + 1);
        return scheme + (host.startsWith("//") ? host : "//" + host);
    }

    /** The whole address, for the driver. */
    String text() {
        return text;
    }

    /** The address for messages: without settings, user and password. */
    String shown() {
        return shown;
    }

    /** Returns a driver's message with secrets replaced. */
    String withoutSecrets(String message, String password) {
        String clean = message.replace(text, shown);
        for (String secret : secrets) {
            clean = secret.isEmpty() ? clean : clean.replace(secret, HIDDEN);
        }
        return password.isEmpty() ? clean : clean.replace(password, HIDDEN);
    }
}
