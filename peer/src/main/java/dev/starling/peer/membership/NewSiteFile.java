package dev.starling.peer.membership;

import dev.starling.network.Network;
import dev.starling.peer.config.SiteConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A site's file for the run that follows a change: the text of the previous file, in which only what the change
 * determines is replaced; everything else, including the operator's own comments, is kept.
 *
 * @param change the change
 * @param changeFile the name of the change's file, in the same directory as the site's file
 * @param startFile the name of the file with the point to continue from; empty if training starts from scratch
 */
public record NewSiteFile(Change change, String changeFile, Optional<String> startFile) {

    /** The line of a site's file that names the study. */
    private static final Pattern STUDY = Pattern.compile("(?m)^  study: .*$");

    /** Returns the file of a site that stays. */
    public String ofStaying(String text, SiteConfig before) {
        return withNetwork(text, before.site(), Optional.of(before));
    }

    /**
     * Returns the file of a site that joins, for its operator to review.
     *
     * @param model the file of a site that stays, from which the training settings are taken
     */
    public String ofJoining(String model, String site) {
        String address = change.addresses().get(site);
        String text = model.replaceFirst("(?m)^# Site \\S+ of", "# Site " + site + " of");
        text = replaced(text, "site", List.of("site: " + site));
        text = replaced(text, "listen", List.of("listen: " + listen(address)));
        text = replaced(
                text,
                "tls",
                List.of(
                        "tls:",
                        "  authority: keys/authority.pem",
                        "  certificate: keys/" + site + ".pem",
                        "  key: keys/" + site + ".key"));
        Matcher study = STUDY.matcher(model);
        text = replaced(
                text,
                "data",
                study.find()
                        ? List.of("data:", "  file: " + site + ".csv", study.group())
                        : List.of("data:", "  file: " + site + ".libsvm"));
        text = replaced(text, "state", List.of("state: state-" + site));
        text = replaced(text, "register", List.of("register: register-" + site));
        text = replaced(text, "model", List.of("model: model-" + site + ".json"));
        text = replaced(text, "monitoring", List.of());
        text = replaced(
                text, "policy", List.of("policy:", "  # this site's own rules; those left out keep their defaults"));
        return withNetwork(text, site, Optional.empty());
    }

    private static String listen(String address) {
        int colon = address.lastIndexOf(':');
        boolean loopback = address.startsWith("127.") || address.startsWith("localhost");
        return (loopback ? "127.0.0.1" : "0.0.0.0") + address.substring(Math.max(0, colon));
    }

    private String withNetwork(String text, String site, Optional<SiteConfig> before) {
        List<String> edges = new ArrayList<>(List.of("edges:"));
        change.edges().forEach(edge -> edges.add("  - [" + edge.replace(" ", ", ") + "]"));
        String changed = replaced(text, "run", List.of("run: " + change.run()));
        changed = replaced(changed, "sites", List.of("sites: [" + String.join(", ", change.sites()) + "]"));
        changed = replaced(changed, "edges", edges);
        changed = replaced(changed, "neighbours", neighbours(site, before));
        if (!change.keys().isEmpty()) {
            List<String> keys = new ArrayList<>(List.of("keys:"));
            change.sites()
                    .forEach(one -> keys.add("  " + one + ": " + change.keys().get(one)));
            changed = replaced(changed, "keys", keys);
        }
        List<String> reference =
                new ArrayList<>(List.of("change:", "  digest: " + change.name(), "  file: " + changeFile));
        startFile.ifPresent(file -> reference.add("  start: " + file));
        return replaced(changed, "change", reference);
    }

    private List<String> neighbours(String site, Optional<SiteConfig> before) {
        Network network = change.network();
        List<String> lines = new ArrayList<>(List.of("neighbours:"));
        for (int node : network.neighbours(change.sites().indexOf(site))) {
            String name = change.sites().get(node);
            Optional<SiteConfig.Remote> known =
                    before.map(config -> config.neighbours().get(config.sites().indexOf(name)));
            String address = known.map(SiteConfig.Remote::address)
                    .map(SiteConfig::text)
                    .orElse(change.addresses().get(name));
            String certificate = known.map(SiteConfig.Remote::certificateName).orElse(name);
            lines.add("  " + name + ":");
            lines.add("    address: " + address);
            if (!certificate.equals(name)) {
                lines.add("    certificate: " + certificate);
            }
        }
        return lines;
    }

    /** Replaces a key of the file and everything indented below it; a missing key is appended at the end. */
    private static String replaced(String text, String key, List<String> block) {
        List<String> lines = new ArrayList<>(text.lines().toList());
        int begin = 0;
        while (begin < lines.size() && !lines.get(begin).startsWith(key + ":")) {
            begin++;
        }
        int end = Math.min(lines.size(), begin + 1);
        while (end < lines.size() && lines.get(end).matches("[\\s-]+\\S.*")) {
            end++;
        }
        List<String> result = new ArrayList<>(lines.subList(0, begin));
        result.addAll(block);
        result.addAll(lines.subList(end, lines.size()));
        return String.join("\n", result) + "\n";
    }
}
