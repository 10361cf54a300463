package dev.starling.peer.transport;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Says in words why a connection failed: what the other end did not like about this site's certificate, too. */
final class FailureWords {

    /** What TLS says about a certificate that was shown, as Java and as OpenSSL spell it. */
    private static final Pattern ALERT = Pattern.compile(
            "(?:fatal alert: |ALERT_)((?:(?:bad|unsupported|unknown)_)?(?:certificate|ca)(?:_[a-z]+)?)",
            Pattern.CASE_INSENSITIVE);

    private FailureWords() {}

    /** What it counts as. */
    static Refusal refusal(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof RefusedCertificateException refused) {
                return refused.refusal();
            }
        }
        return Refusal.HANDSHAKE;
    }

    /**
     * The reason.
     *
     * @param own the certificate that this end has shown
     */
    static String of(Throwable failure, X509Certificate own) {
        Throwable last = failure;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof RefusedCertificateException) {
                return cause.getMessage();
            }
            Matcher alert = ALERT.matcher(String.valueOf(cause.getMessage()));
            if (alert.find()) {
                return refusedHere(alert.group(1).toLowerCase(Locale.ROOT).replace('_', ' '), own);
            }
            last = cause;
        }
        return Printable.of(String.valueOf(last.getMessage()).replaceAll("\\s+", " "));
    }

    private static String refusedHere(String alert, X509Certificate own) {
        return "the other end refuses this site's certificate (" + alert + "), which is valid from "
                + own.getNotBefore().toInstant() + " to " + own.getNotAfter().toInstant()
                + "; the clock here says " + Instant.now().truncatedTo(ChronoUnit.SECONDS)
                + ", and the other end says more in its log";
    }
}
