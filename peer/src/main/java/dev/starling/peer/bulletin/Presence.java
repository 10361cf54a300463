package dev.starling.peer.bulletin;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.starling.data.InvalidInputException;
import dev.starling.peer.wire.Setting;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a site says first: its version and settings, which must be everyone's.
 *
 * @param program the version of the program
 * @param settings all settings as text
 * @param fingerprint SHA-256 of its rows, in hexadecimal
 */
public record Presence(String program, Map<String, String> settings, String fingerprint) {

    private static final int MOST_SETTINGS = 100;

    /** Copies the settings. */
    public Presence {
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    }

    byte[] encode() {
        dev.starling.peer.wire.Presence.Builder presence = dev.starling.peer.wire.Presence.newBuilder()
                .setProgram(program)
                .setFingerprint(ByteString.copyFrom(HexFormat.of().parseHex(fingerprint)));
        settings.forEach((key, value) ->
                presence.addSettings(Setting.newBuilder().setKey(key).setValue(value)));
        return presence.build().toByteArray();
    }

    static Presence decode(byte[] body) throws InvalidProtocolBufferException {
        dev.starling.peer.wire.Presence presence = dev.starling.peer.wire.Presence.parseFrom(body);
        if (presence.getSettingsCount() == 0 || presence.getSettingsCount() > MOST_SETTINGS) {
            throw new InvalidProtocolBufferException("a site with " + presence.getSettingsCount() + " settings");
        }
        Map<String, String> settings = new LinkedHashMap<>();
        for (Setting setting : presence.getSettingsList()) {
            settings.put(setting.getKey(), setting.getValue());
        }
        return new Presence(
                presence.getProgram(),
                settings,
                HexFormat.of().formatHex(presence.getFingerprint().toByteArray()));
    }

    /**
     * Checks that sites mean the same.
     *
     * @throws InvalidInputException naming two sites that do not, and what they say
     */
    public static void requireAgreement(List<String> sites, List<Presence> presences) {
        for (int k = 1; k < presences.size(); k++) {
            Presence first = presences.get(0);
            Presence other = presences.get(k);
            requireSame("version", sites.get(0), first.program, sites.get(k), other.program);
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
