package dev.starling.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;

/** A real browser with one page, spoken to by its debugging protocol: keys, clicks, scripts, screenshots. */
public final class Chromium implements AutoCloseable {

    private static final Path BROWSER = Path.of("/usr/bin/chromium");
    private static final long SECONDS = 120;
    private static final Pattern ID = Pattern.compile("^\\{\"id\":(\\d+)[,}]");

    private final Process process;
    private final WebSocket socket;
    private final AtomicInteger numbers = new AtomicInteger();
    private final Map<Integer, CompletableFuture<String>> answers = new ConcurrentHashMap<>();
    private final List<String> complaints = new CopyOnWriteArrayList<>();

    /** Starts the browser; the test is skipped, and says so, where there is none. */
    public Chromium(Path folder, int width, int height) throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(BROWSER), "pages are not looked at without " + BROWSER);
        process = new ProcessBuilder(
                        BROWSER.toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-quic",
                        "--no-first-run",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--disable-sync",
                        "--hide-scrollbars",
                        "--remote-debugging-port=0",
                        "--window-size=" + width + "," + height,
                        "--user-data-dir=" + Files.createTempDirectory(folder, "profile"),
                        "about:blank")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(page(port()), new Listener())
                .get(SECONDS, TimeUnit.SECONDS);
        call("Runtime.enable", "");
        call("Page.enable", "");
    }

    private int port() throws IOException {
        BufferedReader err = process.errorReader(StandardCharsets.UTF_8);
        Pattern listening = Pattern.compile("DevTools listening on ws://127\\.0\\.0\\.1:(\\d+)/");
        for (String line = err.readLine(); line != null; line = err.readLine()) {
            Matcher matcher = listening.matcher(line);
            if (matcher.find()) {
                Thread drain = new Thread(() -> err.lines().forEach(rest -> {}));
                drain.setDaemon(true);
                drain.start();
                return Integer.parseInt(matcher.group(1));
            }
        }
        throw new IOException("the browser ended before it listened");
    }

    private static URI page(int port) throws IOException, InterruptedException {
        String pages = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/list"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
        Matcher matcher = Pattern.compile("\"webSocketDebuggerUrl\": \"(ws://[^\"]*/page/[^\"]*)\"")
                .matcher(pages);
        assertThat(matcher.find()).as(pages).isTrue();
        return URI.create(matcher.group(1));
    }

    private final class Listener implements WebSocket.Listener {
        private final StringBuilder message = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
            message.append(part);
            if (last) {
                String whole = message.toString();
                message.setLength(0);
                Matcher id = ID.matcher(whole);
                if (id.find()) {
                    answers.remove(Integer.valueOf(id.group(1))).complete(whole);
                } else if (whole.contains("\"method\":\"Runtime.exceptionThrown\"")
                        || whole.contains("\"method\":\"Runtime.consoleAPICalled\"")) {
                    complaints.add(whole);
                }
            }
            from.request(1);
            return null;
        }
    }

    private String call(String method, String parameters) throws Exception {
        int number = numbers.incrementAndGet();
        CompletableFuture<String> answer = new CompletableFuture<>();
        answers.put(number, answer);
        socket.sendText("{\"id\":" + number + ",\"method\":\"" + method + "\",\"params\":{" + parameters + "}}", true)
                .get(SECONDS, TimeUnit.SECONDS);
        String result = answer.get(SECONDS, TimeUnit.SECONDS);
        assertThat(result).as(method).doesNotContain("\"error\":{", "\"exceptionDetails\":{");
        return result;
    }

    public void open(URI address) throws Exception {
        call("Page.navigate", "\"url\":\"" + address + "\"");
    }

    /** What an expression is, as text. */
    public String evaluate(String expression) throws Exception {
        String safe = "btoa(unescape(encodeURIComponent(String(" + expression + "))))";
        String answer = call(
                "Runtime.evaluate",
                "\"expression\":\"" + safe.replace("\\", "\\\\").replace("\"", "\\\"") + "\",\"returnByValue\":true");
        Matcher value = Pattern.compile("\"value\":\"([^\"]*)\"").matcher(answer);
        assertThat(value.find()).as(answer).isTrue();
        return new String(Base64.getDecoder().decode(value.group(1)), StandardCharsets.UTF_8);
    }

    /** Waits until an expression is true, and no longer than is sensible. */
    public void await(String condition) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (!evaluate("Boolean(" + condition + ")").equals("true")) {
            assertThat(System.nanoTime()).as("waited for %s", condition).isLessThan(end);
            Thread.sleep(50);
        }
    }

    /** Presses and lets go of a key; with modifiers 2 is Ctrl, 8 Shift. */
    public void press(String key, int modifiers) throws Exception {
        int code = Map.of(
                        "Enter",
                        13,
                        "Tab",
                        9,
                        "Escape",
                        27,
                        "Delete",
                        46,
                        "ArrowLeft",
                        37,
                        "ArrowUp",
                        38,
                        "ArrowRight",
                        39,
                        "ArrowDown",
                        40,
                        " ",
                        32)
                .getOrDefault(key, (int) Character.toUpperCase(key.charAt(0)));
        String text = key.equals("Enter") ? ",\"text\":\"\\r\"" : "";
        String rest = "\"key\":\"" + key + "\",\"windowsVirtualKeyCode\":" + code + ",\"modifiers\":" + modifiers;
        call(
                "Input.dispatchKeyEvent",
                "\"type\":\"" + (text.isEmpty() ? "rawKeyDown" : "keyDown") + "\"," + rest + text);
        call("Input.dispatchKeyEvent", "\"type\":\"keyUp\"," + rest);
    }

    /** Clicks on the middle of what a selector finds. */
    public void click(String selector) throws Exception {
        String[] place = evaluate("(() => { const e = document.querySelector('" + selector
                        + "'); e.scrollIntoView({block: 'center'}); const b = e.getBoundingClientRect();"
                        + " return (b.x + b.width / 2) + ',' + (b.y + b.height / 2); })()")
                .split(",");
        for (String type : List.of("mousePressed", "mouseReleased")) {
            call(
                    "Input.dispatchMouseEvent",
                    "\"type\":\"" + type + "\",\"x\":" + place[0] + ",\"y\":" + place[1]
                            + ",\"button\":\"left\",\"clickCount\":1");
        }
    }

    /** What the page's scripts threw or wrote to the console. */
    public List<String> complaints() {
        return complaints;
    }

    @Override
    public void close() {
        socket.abort();
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
