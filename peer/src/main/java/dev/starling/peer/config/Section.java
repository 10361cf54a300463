package dev.starling.peer.config;

import dev.starling.data.InvalidInputException;
import dev.starling.peer.transport.Proxy;
import java.net.InetSocketAddress;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A mapping in a YAML file; every error message names the file and the key. */
final class Section {

    private static final Pattern DURATION = Pattern.compile("(\\d+)\\s*(ms|s|m|h|d)");

    private static final String TLS = "https://";

    private final String file;
    private final String path;
    private final Map<String, Object> values = new TreeMap<>();

    private Section(String file, String path) {
        this.file = file;
        this.path = path;
    }

    static Section of(String file, String path, Object node, List<String> keys) {
        Section section = anyKeys(file, path, node);
        for (String key : section.values.keySet()) {
            if (!keys.contains(key)) {
                InvalidInputException unknown =
                        InvalidInputException.unknownName("key", section.path + key, prefixed(section.path, keys));
                throw new InvalidInputException(file + ": " + unknown.getMessage(), unknown);
            }
        }
        return section;
    }

    /** Reads a mapping whose keys are names chosen by the file's author. */
    static Section anyKeys(String file, String path, Object node) {
        Section section = new Section(file, path.isEmpty() ? "" : path + ".");
        if (node != null && !(node instanceof Map)) {
            throw new InvalidInputException(
                    file + ": " + (path.isEmpty() ? "it" : path) + " must be a mapping of keys to values");
        }
        if (node instanceof Map<?, ?> map) {
            map.forEach((key, value) -> section.values.put(String.valueOf(key), value));
        }
        return section;
    }

    private static List<String> prefixed(String prefix, List<String> keys) {
        return keys.stream().map(key -> prefix + key).toList();
    }

    List<String> keys() {
        return new ArrayList<>(values.keySet());
    }

    boolean has(String key) {
        return values.get(key) != null;
    }

    Section section(String key, List<String> keys) {
        return of(file, path + key, values.get(key), keys);
    }

    Section names(String key) {
        return anyKeys(file, path + key, values.get(key));
    }

    String string(String key) {
        return optionalString(key).orElseThrow(() -> error(key, "is missing; it must be given"));
    }

    Optional<String> optionalString(String key) {
        Object value = values.get(key);
        if (value instanceof Map || value instanceof List) {
            throw error(key, "must be a single value");
        }
        return Optional.ofNullable(value).map(String::valueOf);
    }

    /** A value as text; the entries of a list, or those of a mapping as KEY=VALUE, are joined by commas. */
    Optional<String> text(String key) {
        Object value = values.get(key);
        if (value instanceof List<?> list) {
            return Optional.of(list.stream().map(String::valueOf).collect(Collectors.joining(",")));
        }
        if (value instanceof Map<?, ?> map) {
            return Optional.of(map.entrySet().stream()
                    .map(entry -> entry.getKey() + "=" + entry.getValue())
                    .collect(Collectors.joining(",")));
        }
        return Optional.ofNullable(value).map(String::valueOf);
    }

    /**
     * Builds something from the whole section; error messages are prefixed with the file and the place of the section
     * or key.
     */
    <T> T checked(Supplier<T> builder) {
        try {
            return builder.get();
        } catch (InvalidInputException e) {
            String message = e.getMessage();
            boolean namesKey = values.keySet().stream().anyMatch(key -> message.startsWith(key + " "));
            String where = namesKey || path.isEmpty() ? path : path.substring(0, path.length() - 1) + ": ";
            throw new InvalidInputException(file + ": " + where + message, e);
        }
    }

    long integer(String key, long defaultValue) {
        Optional<String> text = optionalString(key);
        if (text.isEmpty()) {
            return defaultValue;
        }
        try {
            return Long.parseLong(text.get());
        } catch (NumberFormatException e) {
            throw error(key, "is '" + text.get() + "'; it must be a whole number");
        }
    }

    Duration duration(String key, Duration defaultValue) {
        Optional<String> text = optionalString(key);
        if (text.isEmpty()) {
            return defaultValue;
        }
        Matcher matcher = DURATION.matcher(text.get());
        if (!matcher.matches()) {
            throw error(key, "is '" + text.get() + "'; it must be a time such as 500ms, 30s, 10m or 2h");
        }
        long amount = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }

    /**
     * A proxy, with a user and password before its address if it asks for them, and https:// before both if it wants
     * TLS.
     *
     * @param authorities returns those to believe who it is
     */
    Optional<Proxy> proxy(String key, Supplier<List<X509Certificate>> authorities) {
        return optionalString(key).map(whole -> {
            boolean wrapped = whole.startsWith(TLS);
            String text = wrapped ? whole.substring(TLS.length()) : whole;
            int at = text.lastIndexOf('@');
            Optional<String> login = at < 0 ? Optional.empty() : Optional.of(text.substring(0, at));
            if (login.isPresent() && login.get().indexOf(':') < 1) {
                throw error(key, "has an @, but no USER:PASSWORD before it");
            }
            return new Proxy(
                    address(key, text.substring(at + 1)),
                    login,
                    wrapped ? Optional.of(Proxy.tls(authorities.get())) : Optional.empty());
        });
    }

    /** An address, HOST:PORT; the host name is not resolved. */
    Optional<InetSocketAddress> address(String key) {
        return optionalString(key).map(text -> address(key, text));
    }

    private InetSocketAddress address(String key, String text) {
        int colon = text.lastIndexOf(':');
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            if (colon > 0 && port >= 0 && port <= 65535) {
                return InetSocketAddress.createUnresolved(text.substring(0, colon), port);
            }
        } catch (NumberFormatException e) {
            throw notAnAddress(key, text);
        }
        throw notAnAddress(key, text);
    }

    private InvalidInputException notAnAddress(String key, String text) {
        return error(key, "is '" + text + "'; it must be HOST:PORT, such as 192.0.2.7:7400");
    }

    List<Object> list(String key) {
        Object value = values.get(key);
        if (value == null) {
            return List.of();
        }
        if (!(value instanceof List<?> list)) {
            throw error(key, "must be a list, such as [a, b]");
        }
        return new ArrayList<>(list);
    }

    InvalidInputException error(String key, String what) {
        return new InvalidInputException(file + ": " + path + key + " " + what);
    }
}
