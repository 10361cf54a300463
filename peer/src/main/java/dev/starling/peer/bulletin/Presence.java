package dev.starling.peer.bulletin;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.starling.data.InvalidInputException;
import dev.starling.peer.wire.Setting;
import dev.starling.study.Study;
import dev.starling.study.StudyOutline;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a site announces first: its settings, which must be the same at all sites.
 *
 * @param settings all settings as text, and under {@value #STUDY} the outline of the study
 * @param fingerprint SHA-256 of its rows, in hexadecimal
 */
public record Presence(Map<String, String> settings, String fingerprint) {

    private static final int MOST_SETTINGS = 100;
    private static final String STUDY = "study";

    /** A longer outline is left out, so that the note stays short enough. */
    private static final int LONGEST_OUTLINE = 40_000;

    /** Copies the settings. */
    public Presence {
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    }

    /** Creates the presence of a site, with the outline of the study it follows, if it follows one. */
    public Presence(Map<String, String> settings, Optional<Study> study, String fingerprint) {
        this(with(settings, study.map(Presence::outline).orElse("")), fingerprint);
    }

    private static Map<String, String> with(Map<String, String> settings, String outline) {
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.put(STUDY, outline);
        return all;
    }

    private static String outline(Study study) {
        String text = StudyOutline.brief(study).text();
        boolean fits = text.getBytes(StandardCharsets.UTF_8).length <= LONGEST_OUTLINE;
        return "digest\t" + study.digest() + (fits ? "\n" + text : "");
    }

    byte[] encode() {
        dev.starling.peer.wire.Presence.Builder presence = dev.starling.peer.wire.Presence.newBuilder()
                .setFingerprint(ByteString.copyFrom(HexFormat.of().parseHex(fingerprint)));
        settings.forEach((key, value) ->
                presence.addSettings(Setting.newBuilder().setKey(key).setValue(value)));
        return presence.build().toByteArray();
    }

    static Presence decode(byte[] body) throws InvalidProtocolBufferException {
        dev.starling.peer.wire.Presence presence = dev.starling.peer.wire.Presence.parseFrom(body);
        if (presence.getSettingsCount() == 0 || presence.getSettingsCount() > MOST_SETTINGS) {
            throw new InvalidProtocolBufferException("a presence with " + presence.getSettingsCount() + " settings");
        }
        Map<String, String> settings = new LinkedHashMap<>();
        for (Setting setting : presence.getSettingsList()) {
            settings.put(setting.getKey(), setting.getValue());
        }
        return new Presence(
                settings,
                HexFormat.of().formatHex(presence.getFingerprint().toByteArray()));
    }

    /**
     * Checks that all sites have the same study and settings.
     *
     * @throws InvalidInputException naming two sites that differ, and in what
     */
    public static void requireAgreement(List<String> sites, List<Presence> presences) {
        for (int k = 1; k < presences.size(); k++) {
            Presence first = presences.get(0);
            Presence other = presences.get(k);
            requireSameStudy(sites.get(0), first, sites.get(k), other);
            for (Map.Entry<String, String> setting : first.settings.entrySet()) {
                requireSame(
                        setting.getKey(),
                        sites.get(0),
                        setting.getValue(),
                        sites.get(k),
                        other.settings.getOrDefault(setting.getKey(), ""));
            }
        }
    }

    private static void requireSameStudy(String firstSite, Presence first, String otherSite, Presence other) {
        String one = first.settings.getOrDefault(STUDY, "");
        String two = other.settings.getOrDefault(STUDY, "");
        if (one.equals(two)) {
            return;
        }
        if (one.isEmpty() || two.isEmpty()) {
            throw new InvalidInputException("site " + (one.isEmpty() ? otherSite : firstSite)
                    + " follows a study, site " + (one.isEmpty() ? firstSite : otherSite)
                    + " does not; give the same data.study at all sites");
        }
        List<String> differences = StudyOutline.parse(one)
                .differences(StudyOutline.parse(two), "at site " + firstSite, "at site " + otherSite);
        List<String> shown = differences.stream()
                .filter(difference -> !difference.startsWith("digest: "))
                .toList();
        throw new InvalidInputException("site " + firstSite + " and site " + otherSite + " follow different studies: "
                + (shown.isEmpty() ? "they are too large to show where" : shown.get(0))
                + (shown.size() > 1 ? ", and " + (shown.size() - 1) + " more" : "")
                + "; the study must be the same at all sites");
    }

    private static void requireSame(String what, String firstSite, String first, String otherSite, String other) {
        if (!first.equals(other)) {
            throw new InvalidInputException("site " + firstSite + " has " + what + " " + shown(first) + ", site "
                    + otherSite + " " + shown(other) + "; it must be the same at all sites");
        }
    }

    private static String shown(String value) {
        return value.isEmpty() ? "unset" : value;
    }
}
