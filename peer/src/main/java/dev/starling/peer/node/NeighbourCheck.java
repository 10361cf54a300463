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
 * Connects to a neighbour and disconnects again, to check whether it is running, whether it is who it should be, and
 * whether it accepts this site. A neighbour that is not running yet is distinguished from one that is wrong.
 *
 * @param name the neighbour's name, for messages
 * @param remote the neighbour's address, which must be reachable without a relay or proxy, and the name in its
 *     certificate
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
            throw new InvalidInputException(where + " has an unknown host name; is it correct?", e);
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
            throw new NotThereException("cannot be reached: there is no route to it yet", e);
        } catch (ConnectException e) {
            throw new NotThereException("is not started yet (its machine answers, but the port is closed)", e);
        } catch (SocketTimeoutException e) {
            throw new NotThereException(
                    "does not answer: it is not started yet, or a firewall on the way drops the packets", e);
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
            // The other side checks our certificate after the handshake, and closes the connection if it refuses it.
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

    /** The neighbour is not there yet, which may resolve itself. */
    private static final class NotThereException extends IOException {
        private static final long serialVersionUID = 1;

        NotThereException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
