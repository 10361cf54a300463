package dev.starling.peer.trust;

import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Describes why a connection failed, including why the other end refused this site's certificate. */
public final class FailureWords {

    /** The TLS alerts about a certificate, as Java and OpenSSL write them. */
    private static final Pattern ALERT = Pattern.compile(
            "(?:fatal alert: |ALERT_)((?:(?:bad|unsupported|unknown)_)?(?:certificate|ca)(?:_[a-z]+)?)",
            Pattern.CASE_INSENSITIVE);

    private FailureWords() {}

    /** The category under which a failure is counted. */
    public static Refusal refusal(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof RefusedCertificateException refused) {
                return refused.refusal();
            }
        }
        return Refusal.HANDSHAKE;
    }

    /**
     * Returns the reason for a failure.
     *
     * @param own the certificate that this end has presented
     */
    public static String of(Throwable failure, X509Certificate own) {
        Throwable last = failure;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof RefusedCertificateException) {
                return cause.getMessage();
            }
            Matcher alert = ALERT.matcher(String.valueOf(cause.getMessage()));
            if (alert.find()) {
                return refusedOwn(alert.group(1).toLowerCase(Locale.ROOT).replace('_', ' '), own);
            }
            last = cause;
        }
        return Printable.of(String.valueOf(last.getMessage()).replaceAll("\\s+", " "));
    }

    private static String refusedOwn(String alert, X509Certificate own) {
        return "the other end refuses this site's certificate (" + alert + "), which is valid from "
                + own.getNotBefore().toInstant() + " to " + own.getNotAfter().toInstant()
                + "; the clock here says " + Instant.now().truncatedTo(ChronoUnit.SECONDS)
                + ", and the log of the other end says more";
    }
}
