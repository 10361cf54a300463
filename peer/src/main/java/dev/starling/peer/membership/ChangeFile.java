package dev.starling.peer.membership;

import dev.starling.data.InvalidInputException;
import dev.starling.data.text.AtomicFiles;
import dev.starling.peer.keys.SiteSignature;
import dev.starling.peer.trust.KeyPin;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A change with the signatures of the sites that agree to it, as a file that is passed from site to site: the lines of
 * the change, then one line per signature.
 *
 * @param approvals signatures of the sites that take part afterwards, by name
 * @param consents signatures of the sites whose own sums the change reveals, by name
 */
public record ChangeFile(Change change, Map<String, Signed> approvals, Map<String, Signed> consents) {

    private static final String CONTEXT = "Starling change 1";
    private static final String APPROVED = "approved";
    private static final String CONSENTED = "consented";

    /** Copies the signatures. */
    public ChangeFile {
        approvals = Collections.unmodifiableMap(new TreeMap<>(approvals));
        consents = Collections.unmodifiableMap(new TreeMap<>(consents));
    }

    /** Creates the file of a change that nobody has signed yet. */
    public static ChangeFile of(Change change) {
        return new ChangeFile(change, Map.of(), Map.of());
    }

    /** Returns a copy with a site's approval. */
    public ChangeFile approvedBy(String name, SiteSignature site) {
        Map<String, Signed> more = new TreeMap<>(approvals);
        more.put(name, Signed.by(site, CONTEXT, change.digest()));
        return new ChangeFile(change, more, consents);
    }

    /** Returns a copy with a site's consent. */
    public ChangeFile withConsent(String name, Signed consent) {
        Map<String, Signed> more = new TreeMap<>(consents);
        more.put(name, consent);
        return new ChangeFile(change, approvals, more);
    }

    /** The sites that take part afterwards and have not approved yet. */
    public List<String> missing() {
        return change.sites().stream()
                .filter(site -> !approvals.containsKey(site))
                .toList();
    }

    /**
     * Checks the consent that the change needs, and every approval in the file.
     *
     * @param verifier checks signatures, with the authorities that the checking site trusts
     * @throws InvalidInputException if the site concerned has not consented, or a signature is wrong
     */
    public void requireConsent(SiteSignature verifier) {
        approvals.forEach(
                (name, signed) -> signed.require(verifier, CONTEXT, change.digest(), pin(change.keys(), name), name));
        requireConsent(verifier, change.concerned());
    }

    /** The sites whose consent the change needs and does not have. */
    public List<String> unconsented() {
        return change.concerned().stream()
                .filter(site -> needsConsent(site) && !consents.containsKey(site))
                .toList();
    }

    private boolean needsConsent(String site) {
        return !change.sites().contains(site)
                || !change.previousSites().contains(site)
                || !change.concerned().contains(site);
    }

    /**
     * Checks the consent of sites. One that leaves has signed with its key of the previous run; one that stays consents
     * to what the change reveals by approving it.
     *
     * @throws InvalidInputException naming one that has not consented
     */
    void requireConsent(SiteSignature verifier, Set<String> sites) {
        for (String site : sites) {
            if (!needsConsent(site)) {
                continue;
            }
            boolean leaves = !change.sites().contains(site);
            Signed consent = consents.get(site);
            if (consent == null) {
                throw new InvalidInputException("refused: " + change.revealed() + "; site " + site
                        + " has not consented to that: have it sign its consent ('starling network consent"
                        + (leaves ? "'" : " --join'") + "), or let three sites or more leave or join together");
            }
            consent.require(
                    verifier,
                    Consent.CONTEXT,
                    Consent.neededFor(change, site).digest(),
                    pin(leaves ? change.previousKeys() : change.keys(), site),
                    site);
        }
    }

    /** Checks that all sites that take part have approved, and that the site concerned has consented. */
    public void requireComplete(SiteSignature verifier) {
        requireConsent(verifier);
        if (!missing().isEmpty()) {
            throw new InvalidInputException("the change to run " + change.run() + " is not approved by "
                    + String.join(", ", missing()) + "; every site that takes part must sign it");
        }
    }

    /** The key that a site must have signed with; a network pins the keys of all its sites, or none. */
    private static Optional<KeyPin> pin(Map<String, String> keys, String name) {
        if (keys.isEmpty()) {
            return Optional.empty();
        }
        if (!keys.containsKey(name)) {
            throw new InvalidInputException("the change has a signature of " + name + ", whose key nobody knows");
        }
        return Optional.of(new KeyPin(keys.get(name)));
    }

    /** Writes the file. */
    public void write(Path file) {
        StringBuilder text = new StringBuilder(change.text());
        approvals.forEach((name, signed) -> append(text, APPROVED, name, signed));
        consents.forEach((name, signed) -> append(text, CONSENTED, name, signed));
        AtomicFiles.write(file, out -> out.write(text.toString().getBytes(StandardCharsets.UTF_8)));
    }

    private static void append(StringBuilder text, String word, String name, Signed signed) {
        text.append(word)
                .append(' ')
                .append(name)
                .append(' ')
                .append(signed.chain())
                .append(' ')
                .append(signed.signature())
                .append('\n');
    }

    /** Reads a file. */
    public static ChangeFile read(Path file) {
        StringBuilder change = new StringBuilder();
        Map<String, Signed> approvals = new TreeMap<>();
        Map<String, Signed> consents = new TreeMap<>();
        for (String line : lines(file)) {
            String[] words = line.split(" ", -1);
            boolean signature = words.length == 4 && (words[0].equals(APPROVED) || words[0].equals(CONSENTED));
            if (signature) {
                (words[0].equals(APPROVED) ? approvals : consents).put(words[1], new Signed(words[2], words[3]));
            } else {
                change.append(line).append('\n');
            }
        }
        try {
            return new ChangeFile(Change.parse(change.toString()), approvals, consents);
        } catch (InvalidInputException e) {
            throw new InvalidInputException(file + ": " + e.getMessage(), e);
        }
    }

    /** Writes a consent into a file of its own. */
    public static void writeConsent(Path file, String name, Signed consent) {
        StringBuilder text = new StringBuilder();
        append(text, CONSENTED, name, consent);
        AtomicFiles.write(file, out -> out.write(text.toString().getBytes(StandardCharsets.UTF_8)));
    }

    /** Returns a copy with the consent that a file holds. */
    public ChangeFile withConsent(Path file) {
        List<String> lines = lines(file);
        String[] words = lines.isEmpty() ? new String[0] : lines.get(0).split(" ", -1);
        if (words.length != 4 || !words[0].equals(CONSENTED)) {
            throw new InvalidInputException(file + " holds no consent; 'network consent' writes one");
        }
        return withConsent(words[1], new Signed(words[2], words[3]));
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (NoSuchFileException e) {
            throw new InvalidInputException(file + " does not exist", e);
        } catch (IOException e) {
            throw InvalidInputException.unreadable(file, e);
        }
    }
}
