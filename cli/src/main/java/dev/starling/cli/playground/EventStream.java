package dev.starling.cli.playground;

import dev.starling.cli.console.Json;
import dev.starling.internal.JsonObject;
import dev.starling.lab.comparison.ComparisonListener;
import dev.starling.lab.comparison.Curve;
import dev.starling.lab.comparison.Optimum;
import dev.starling.lab.comparison.Point;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.Consumer;

/** Sends the progress of a race to a browser as server-sent events; when the browser disconnects, the race ends. */
final class EventStream implements ComparisonListener {

    private final OutputStream out;
    private final Runnable onGone;
    private boolean gone;

    EventStream(OutputStream out, Runnable onGone) {
        this.out = out;
        this.onGone = onGone;
    }

    @Override
    public void begun(Optimum optimum, int curves) {
        send("optimum", json -> {
            json.with("objective", optimum.objective());
            json.with("gap", optimum.gap());
        });
    }

    @Override
    public void advanced(String method, long seed, Point point, double share) {
        send("point", json -> {
            json.with("method", method);
            json.with("time", point.time());
            json.with("error", point.suboptimality());
        });
    }

    @Override
    public void finished(Curve curve) {
        // The last point of a method that stopped on its own has not been sent yet.
        advanced(curve.method(), curve.seed(), curve.last(), 1);
        send("finish", json -> {
            json.with("method", curve.method());
            json.with("end", curve.end().name().toLowerCase(Locale.ROOT));
            json.with("nodeErrors", curve.nodeErrors());
        });
    }

    void problem(String text) {
        send("problem", json -> json.with("text", text));
    }

    void end() {
        send("end", json -> {});
    }

    private synchronized void send(String event, Consumer<JsonObject> content) {
        if (gone) {
            return;
        }
        String message = "event: " + event + "\ndata: " + Json.text(content) + "\n\n";
        try {
            out.write(message.getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException e) {
            gone = true;
            onGone.run();
        }
    }
}
