package dev.starling.peer.transport;

import dev.starling.peer.trust.Credentials;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ServerSocketFactory;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** An HTTP proxy that does nothing but CONNECT, and remembers where to and what it saw. */
public final class ConnectProxy extends LoopbackProxy {

    private static final Pattern CONNECT = Pattern.compile("CONNECT ([^:]+):(\\d+) HTTP/1\\.1\r\n");
    private static final int LONGEST_HEAD = 4096;

    private final List<String> targets = new CopyOnWriteArrayList<>();

    private final String login;

    /** Begins to listen on a port that is free. */
    public ConnectProxy() throws IOException {
        this("");
    }

    /** Begins to listen for those who know the user and password. */
    public ConnectProxy(String login) throws IOException {
        this(login, ServerSocketFactory.getDefault());
    }

    private ConnectProxy(String login, ServerSocketFactory sockets) throws IOException {
        super(sockets);
        this.login = login;
        begin();
    }

    /** Begins to listen for those who speak TLS with it; it shows this certificate. */
    public static ConnectProxy withTls(String login, Credentials own) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("own", own.key(), new char[0], own.chain().toArray(Certificate[]::new));
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return new ConnectProxy(login, context.getServerSocketFactory());
    }

    /** HOST:PORT of all that were asked for. */
    public List<String> targets() {
        return targets;
    }

    @Override
    protected void take(Socket near) throws IOException {
        StringBuilder head = new StringBuilder();
        InputStream in = near.getInputStream();
        while (!head.toString().endsWith("\r\n\r\n") && head.length() < LONGEST_HEAD) {
            head.append((char) in.read());
        }
        Matcher matcher = CONNECT.matcher(head);
        if (!matcher.lookingAt()) {
            near.close();
            return;
        }
        String wanted = "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
        if (!login.isEmpty() && !head.toString().contains(wanted)) {
            near.getOutputStream()
                    .write("HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            near.close();
            return;
        }
        targets.add(matcher.group(1) + ":" + matcher.group(2));
        Socket far = reach(near, Integer.parseInt(matcher.group(2)));
        near.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        daemon(() -> copy(near, far));
        copy(far, near);
    }

    private static void copy(Socket from, Socket to) {
        byte[] buffer = new byte[1 << 16];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                out.write(buffer, 0, count);
            }
        } catch (IOException e) {
            return;
        }
    }
}
