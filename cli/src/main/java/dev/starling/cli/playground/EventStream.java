package dev.starling.cli.playground;

import dev.starling.cli.console.Json;
import dev.starling.internal.JsonTree;
import dev.starling.lab.comparison.ComparisonListener;
import dev.starling.lab.comparison.Curve;
import dev.starling.lab.comparison.Optimum;
import dev.starling.lab.comparison.Point;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

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
            json.writeNumberProperty("objective", optimum.objective());
            json.writeNumberProperty("gap", optimum.gap());
        });
    }

    @Override
    public void advanced(String method, long seed, Point point, double share) {
        send("point", json -> {
            json.writeStringProperty("method", method);
            json.writeNumberProperty("time", point.time());
            Json.number(json, "error", point.suboptimality());
        });
    }

    @Override
    public void finished(Curve curve) {
        // The last point of a method that stopped on its own has not been sent yet.
        advanced(curve.method(), curve.seed(), curve.last(), 1);
        send("finish", json -> {
            json.writeStringProperty("method", curve.method());
            json.writeStringProperty("end", curve.end().name().toLowerCase(Locale.ROOT));
            JsonTree.value(json, "nodeErrors", curve.nodeErrors());
        });
    }

    void problem(String text) {
        send("problem", json -> json.writeStringProperty("text", text));
    }

    void end() {
        send("end", json -> {});
    }

    private synchronized void send(String event, Json.Content content) {
        if (gone) {
            return;
        }
        StringWriter data = new StringWriter();
        Json.print(new PrintWriter(data), content);
        String message = "event: " + event + "\ndata: " + data.toString().strip() + "\n\n";
        try {
            out.write(message.getBytes(StandardCharsets.UTF_8));
            out.flush();
        } catch (IOException e) {
            gone = true;
            onGone.run();
        }
    }
}
