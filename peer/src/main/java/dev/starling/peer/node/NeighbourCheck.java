package dev.starling.peer.node;

import dev.starling.data.InvalidInputException;
import dev.starling.peer.config.SiteConfig;
import dev.starling.peer.transport.CertificateNames;
import dev.starling.peer.transport.Credentials;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Set;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/**
 * Calls a neighbour and hangs up: whether it is there, and if so, whether it is who it should be and takes this site
 * for who it is. One that is not there is told apart from one that is wrong.
 *
 * @param name what to call it
 * @param remote where it is and what its certificate says; it can be reached without a relay or proxy
 */
record NeighbourCheck(String name, SiteConfig.Remote remote, Credentials credentials) {

    private static final int TIMEOUT_MILLIS = 3000;

    SiteCheck.Finding reach() throws GeneralSecurityException {
        InetSocketAddress address = remote.address().orElseThrow();
        String where = name + " at " + address.getHostString() + ":" + address.getPort();
        try (Socket plain = new Socket()) {
            connect(plain, address);
            shakeHands(plain);
            return SiteCheck.ok(where + " answers and is who it should be");
        } catch (NotThereException e) {
            return new SiteCheck.Finding(SiteCheck.Verdict.LATER, where + " " + e.getMessage());
        } catch (UnknownHostException e) {
            throw new InvalidInputException(where + " has an address that nobody knows; is the name spelt right?", e);
        } catch (SSLException e) {
            throw new InvalidInputException(
                    where + " is there, but the handshake failed: " + e.getMessage()
                            + "; do both sides have certificates of the same authority, and are both clocks right?",
                    e);
        } catch (IOException e) {
            throw new InvalidInputException(where + " is there, but " + e.getMessage(), e);
        }
    }

    private static void connect(Socket plain, InetSocketAddress address) throws IOException {
        try {
            plain.connect(new InetSocketAddress(address.getHostString(), address.getPort()), TIMEOUT_MILLIS);
            plain.setSoTimeout(TIMEOUT_MILLIS);
        } catch (NoRouteToHostException e) {
            throw new NotThereException("cannot be reached: no network leads there yet", e);
        } catch (ConnectException e) {
            throw new NotThereException("is not started yet (its machine answers, the port is closed)", e);
        } catch (SocketTimeoutException e) {
            throw new NotThereException(
                    "says nothing: not started yet, or a firewall on the way drops what is sent there", e);
        }
    }

    private void shakeHands(Socket plain) throws IOException, GeneralSecurityException {
        try (SSLSocket socket = (SSLSocket) context(credentials)
                .getSocketFactory()
                .createSocket(plain, remote.certificateName(), plain.getPort(), true)) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setProtocols(new String[] {"TLSv1.3"});
            parameters.setApplicationProtocols(new String[] {"h2"});
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            // The other side judges our certificate after the handshake: it says nothing more if it refuses it.
            if (socket.getInputStream().read() < 0) {
                throw new IOException("it closed the connection; does it know this site's authority?");
            }
            Set<String> names =
                    CertificateNames.of((X509Certificate) socket.getSession().getPeerCertificates()[0]);
            if (!names.contains(remote.certificateName())) {
                throw new IOException(
                        "its certificate carries the names " + names + ", not " + remote.certificateName());
            }
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

    /** Nobody is there, which may change by itself. */
    private static final class NotThereException extends IOException {
        private static final long serialVersionUID = 1;

        NotThereException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
