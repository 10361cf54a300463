package dev.starling.peer.trust;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/** The names in a certificate: its DNS names or, if it has none, its common name. */
public final class CertificateNames {

    private static final int DNS_NAME = 2;

    private CertificateNames() {}

    /**
     * Returns the names in a certificate, in lower case; a wildcard is a name like any other and matches only itself.
     */
    public static Set<String> of(X509Certificate certificate) {
        Set<String> names = new TreeSet<>();
        try {
            Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
            if (alternatives != null) {
                for (List<?> alternative : alternatives) {
                    if (alternative.get(0).equals(DNS_NAME)) {
                        names.add(alternative.get(1).toString().toLowerCase(Locale.ROOT));
                    }
                }
            }
            if (names.isEmpty()) {
                for (Rdn rdn :
                        new LdapName(certificate.getSubjectX500Principal().getName()).getRdns()) {
                    if (rdn.getType().equalsIgnoreCase("CN")) {
                        names.add(rdn.getValue().toString().toLowerCase(Locale.ROOT));
                    }
                }
            }
        } catch (CertificateParsingException | InvalidNameException e) {
            names.clear();
        }
        return names;
    }
}
