package dev.starling.peer.node;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.peer.checkpoint.CheckpointStore;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.transport.CertificateNames;
import dev.starling.peer.transport.Credentials;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/**
 * Tries everything a site needs before it trains: files, keys, addresses, data, and whether neighbours can be reached.
 */
public final class SiteCheck {

    private static final int TIMEOUT_MILLIS = 3000;
    private static final int MOST_LABELS = 1000;

    /**
     * What was tried and what came of it.
     *
     * @param good whether it is as it should be
     * @param text what was found
     */
    public record Finding(boolean good, String text) {}

    private final SiteConfig config;
    private final List<Finding> findings = new ArrayList<>();

    private SiteCheck(SiteConfig config) {
        this.config = config;
    }

    /** Tries everything; nothing is trained and nothing is left behind but an empty state directory. */
    public static List<Finding> of(SiteConfig config) {
        SiteCheck check = new SiteCheck(config);
        check.run();
        return List.copyOf(check.findings);
    }

    private void run() {
        attempt(() -> "site " + config.site() + " is node " + config.node() + " of "
                + config.sites().size() + ", with neighbours "
                + new TreeMap<>(config.neighbours())
                        .keySet().stream().map(config.sites()::get).toList());
        attempt(this::data);
        attempt(this::state);
        attempt(this::listening);
        List<Credentials> loaded = new ArrayList<>();
        attempt(() -> {
            loaded.add(credentials());
            return "certificate " + config.tls().certificate().getFileName() + " carries the name "
                    + config.site() + ", is signed by the authority and valid until "
                    + loaded.get(0).certificate().getNotAfter().toInstant();
        });
        for (int node : new TreeMap<>(config.neighbours()).keySet()) {
            if (node < config.node()) {
                findings.add(new Finding(
                        true,
                        "neighbour " + config.sites().get(node) + " will call this site; nothing to try from here"));
            } else if (!loaded.isEmpty()) {
                attempt(() -> reach(node, loaded.get(0)));
            }
        }
    }

    @FunctionalInterface
    private interface Attempt {
        String run() throws IOException, GeneralSecurityException;
    }

    private void attempt(Attempt attempt) {
        try {
            findings.add(new Finding(true, attempt.run()));
        } catch (InvalidInputException e) {
            findings.add(new Finding(false, e.getMessage()));
        } catch (IOException | GeneralSecurityException e) {
            findings.add(new Finding(false, String.valueOf(e.getMessage())));
        }
    }

    private String data() {
        Dataset rows = Site.load(config).rows();
        String labels = config.training().loss().isClassification()
                ? "labels "
                        + Arrays.stream(rows.labels())
                                .map(label -> label + 0.0)
                                .sorted()
                                .distinct()
                                .boxed()
                                .limit(MOST_LABELS)
                                .toList()
                : "numbers to predict";
        return "data " + config.data().file().getFileName() + " has " + rows.rows() + " rows, " + rows.features()
                + " features, " + labels;
    }

    private String state() {
        List<String> warnings = new ArrayList<>();
        try (CheckpointStore store = CheckpointStore.open(
                config.state().resolve(config.run()), config.checkpoints().keep(), warnings::add)) {
            boolean resumes = store.newest().isPresent();
            if (!warnings.isEmpty()) {
                throw new InvalidInputException(warnings.get(0));
            }
            return "state " + config.state().getFileName() + " can be written"
                    + (resumes ? " and holds run " + config.run() + ", which will be resumed" : "");
        } catch (IOException e) {
            throw new InvalidInputException(config.state() + ": " + CheckpointStore.describe(e), e);
        }
    }

    private String listening() {
        if (config.listen().isEmpty()) {
            return "no port is opened: neighbours come by way of the relay";
        }
        InetSocketAddress address = config.listen().get();
        String where = "listen " + address.getHostString() + ":" + address.getPort();
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(address.getHostString(), address.getPort()));
            return where + " is free";
        } catch (IOException e) {
            throw new InvalidInputException(
                    where + " cannot be used: " + e.getMessage() + "; is this site running already?", e);
        }
    }

    private Credentials credentials() throws GeneralSecurityException {
        Credentials credentials = config.tls().load();
        X509Certificate own = credentials.certificate();
        own.checkValidity();
        requireSigned(credentials);
        requireKey(credentials.key(), own);
        Set<String> names = CertificateNames.of(own);
        if (!names.contains(config.site())) {
            throw new InvalidInputException(
                    "certificate " + config.tls().certificate().getFileName()
                            + " carries the names " + names + ", not " + config.site()
                            + "; neighbours must then say 'certificate: NAME' for this site");
        }
        return credentials;
    }

    private static void requireSigned(Credentials credentials) throws GeneralSecurityException {
        X509Certificate last = credentials.chain().get(credentials.chain().size() - 1);
        for (X509Certificate authority : credentials.authorities()) {
            if (authority.getSubjectX500Principal().equals(last.getIssuerX500Principal())) {
                authority.checkValidity();
                last.verify(authority.getPublicKey());
                return;
            }
        }
        throw new InvalidInputException("the certificate is issued by " + last.getIssuerX500Principal()
                + ", which is not among the authorities; give the authority that signed it");
    }

    private static void requireKey(PrivateKey key, X509Certificate certificate) throws GeneralSecurityException {
        String algorithm = switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> key.getAlgorithm();
        };
        byte[] text = "starling".getBytes(StandardCharsets.US_ASCII);
        Signature signer = Signature.getInstance(algorithm);
        signer.initSign(key);
        signer.update(text);
        byte[] signature = signer.sign();
        signer.initVerify(certificate);
        signer.update(text);
        if (!signer.verify(signature)) {
            throw new InvalidInputException("the key does not belong to the certificate; give the pair made together");
        }
    }

    private String reach(int node, Credentials credentials) throws IOException, GeneralSecurityException {
        SiteConfig.Remote remote = config.neighbours().get(node);
        String name = config.sites().get(node);
        if (remote.address().isEmpty() || config.proxy().isPresent()) {
            return "neighbour " + name + " is reached by way of a relay or proxy; nothing to try from here";
        }
        InetSocketAddress address = remote.address().get();
        String where = "neighbour " + name + " at " + address.getHostString() + ":" + address.getPort();
        try (Socket plain = new Socket()) {
            plain.connect(new InetSocketAddress(address.getHostString(), address.getPort()), TIMEOUT_MILLIS);
            plain.setSoTimeout(TIMEOUT_MILLIS);
            try (SSLSocket socket = (SSLSocket) context(credentials)
                    .getSocketFactory()
                    .createSocket(plain, remote.certificateName(), address.getPort(), true)) {
                SSLParameters parameters = socket.getSSLParameters();
                parameters.setProtocols(new String[] {"TLSv1.3"});
                parameters.setApplicationProtocols(new String[] {"h2"});
                socket.setSSLParameters(parameters);
                socket.startHandshake();
                // The other side judges our certificate after the handshake: it says nothing more if it refuses it.
                if (socket.getInputStream().read() < 0) {
                    throw new IOException("it closed the connection; does it know this site's authority?");
                }
                Set<String> names = CertificateNames.of(
                        (X509Certificate) socket.getSession().getPeerCertificates()[0]);
                if (!names.contains(remote.certificateName())) {
                    throw new IOException(
                            "its certificate carries the names " + names + ", not " + remote.certificateName());
                }
            }
            return where + " answers and is who it should be";
        } catch (IOException e) {
            throw new InvalidInputException(where + " is not reached: " + e.getMessage() + "; is it started?", e);
        }
    }

    private static SSLContext context(Credentials credentials) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry(
                "site", credentials.key(), new char[0], credentials.chain().toArray(new Certificate[0]));
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, new char[0]);
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        int number = 0;
        for (X509Certificate authority : credentials.authorities()) {
            trusted.setCertificateEntry("authority" + number++, authority);
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }
}
