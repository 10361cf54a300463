package dev.starling.peer.trust;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/** Presents the node's current certificate; a renewed one is used from the next connection on. */
public final class SiteKeyManager extends X509ExtendedKeyManager {

    private static final String ALIAS = "site";

    private final Supplier<Credentials> credentials;

    public SiteKeyManager(Supplier<Credentials> credentials) {
        this.credentials = credentials;
    }

    private String alias(String... types) {
        String own = credentials.get().key().getAlgorithm();
        for (String type : types) {
            boolean fits = type.equals(own) || type.startsWith(own + "_") || type.startsWith(own + "SSA");
            if (fits || (own.equals("EdDSA") && type.startsWith("Ed"))) {
                return ALIAS;
            }
        }
        return null;
    }

    @Override
    public String chooseEngineClientAlias(String[] types, Principal[] issuers, SSLEngine engine) {
        return alias(types);
    }

    @Override
    public String chooseEngineServerAlias(String type, Principal[] issuers, SSLEngine engine) {
        return alias(type);
    }

    @Override
    public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
        return alias(types);
    }

    @Override
    public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
        return alias(type);
    }

    @Override
    public String[] getClientAliases(String type, Principal[] issuers) {
        return new String[] {ALIAS};
    }

    @Override
    public String[] getServerAliases(String type, Principal[] issuers) {
        return new String[] {ALIAS};
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return credentials.get().chain().toArray(new X509Certificate[0]);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return credentials.get().key();
    }
}
