package dev.starling.serve;

import dev.starling.data.Dataset;
import dev.starling.data.InvalidInputException;
import dev.starling.data.text.Members;
import dev.starling.lab.comparison.Comparison;
import dev.starling.lab.comparison.ComparisonResult;
import dev.starling.lab.comparison.Curve;
import dev.starling.lab.comparison.OwnMethod;
import dev.starling.lab.comparison.Point;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.network.Network;
import dev.starling.network.Topology;
import dev.starling.runtime.StopSignal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A request to compare methods in idealised time, of which some may be the client's own: their steps are asked for
 * through the pipe.
 *
 * @param comparison what to compare
 * @param methods the names of methods
 * @param own those that are the client's
 * @param network the graph
 */
record CompareRequest(Comparison comparison, List<String> methods, List<String> own, Network network)
        implements Request {

    private static final Set<String> MEMBERS = Set.of(
            "op",
            "id",
            "arrays",
            "features",
            "order",
            "names",
            "loss",
            "lambda",
            "l1",
            "nodes",
            "topology",
            "tau",
            "methods",
            "own",
            "seed",
            "gap",
            "time",
            "points");

    /**
     * Takes a request apart.
     *
     * @throws InvalidInputException if something about it is wrong
     */
    static CompareRequest of(Members header, Map<String, Object> arrays) {
        header.requireOnly(MEMBERS);
        Loss loss = Losses.named(header.text("loss").orElse("logistic"));
        Dataset rows = SentRows.of(header, arrays, false, false).rows();
        if (loss.isClassification()
                && IntStream.range(0, rows.rows()).anyMatch(row -> Math.abs(rows.label(row)) != 1)) {
            throw new InvalidInputException("the labels of two classes must be -1 and 1 in a comparison");
        }
        long seed = header.whole("seed", 1);
        Network network = Topology.named(header.text("topology").orElse("complete"))
                .build((int) Math.min(header.whole("nodes", 4), 1 << 16), seed);
        Comparison comparison = Comparison.of(
                        rows, loss, header.number("lambda", 1e-4), network, header.number("tau", 1))
                .seeds(List.of(seed))
                .points((int) Math.min(header.whole("points", 80), 100_000));
        comparison = header.has("l1") ? comparison.l1(header.number("l1", 0)) : comparison;
        comparison = header.has("gap") ? comparison.gap(header.number("gap", 0)) : comparison;
        comparison = header.has("time") ? comparison.time(header.number("time", 0)) : comparison;
        return new CompareRequest(comparison, header.texts("methods"), header.texts("own"), network);
    }

    @Override
    public Answer run(StopSignal signal, Events events) {
        tell(events);
        Object turn = new Object();
        Comparison ready = comparison
                .own(own.stream()
                        .map(name -> new OwnMethod(name, (seed, node, messages) -> {
                            // One question at a time.
                            synchronized (turn) {
                                return step(events, name, node, messages);
                            }
                        }))
                        .toList())
                .methods(methods)
                .stopSignal(signal);
        return ready.run().map(CompareRequest::answer).orElse(new Answer("compare", Map.of(), Map.of()));
    }

    /** Tells a client with methods of its own what step sizes follow from, before the first step. */
    private void tell(Events events) {
        if (own.isEmpty()) {
            return;
        }
        int edges = network.edges();
        List<OwnMethod.Part> parts = comparison.parts();
        events.send(
                "graph",
                Map.of("nodes", network.size()),
                Map.of(
                        "tails", IntStream.range(0, edges).map(network::tail).toArray(),
                        "heads", IntStream.range(0, edges).map(network::head).toArray(),
                        "weights",
                                IntStream.range(0, edges)
                                        .mapToDouble(network::weight)
                                        .toArray(),
                        "sigma", Answer.each(parts, OwnMethod.Part::sigma),
                        "curvature", Answer.each(parts, OwnMethod.Part::curvature)));
    }

    private static OwnMethod.Step step(Events events, String name, int node, double[]... messages) {
        Map<String, Object> arrays = new HashMap<>();
        for (int k = 0; k < messages.length; k++) {
            arrays.put(String.valueOf(k), messages[k]);
        }
        Request.Reply reply = events.ask("step", Map.of("method", name, "node", node), arrays);
        return new OwnMethod.Step(
                reply.numbers("message"), reply.header().number("work", 0), reply.numbers("estimate"));
    }

    private static Answer answer(ComparisonResult result) {
        Map<String, Object> header = new LinkedHashMap<>();
        header.put("objective", result.optimum().objective());
        header.put("gap", result.optimum().gap());
        header.put("time", result.timeLimit());
        List<Curve> curves =
                result.methods().stream().map(method -> method.curves().get(0)).toList();
        header.put("methods", curves.stream().map(Curve::method).toList());
        header.put(
                "ends",
                curves.stream()
                        .map(curve -> curve.end().name().toLowerCase(java.util.Locale.ROOT))
                        .toList());
        List<Integer> methods = new ArrayList<>();
        List<Point> points = new ArrayList<>();
        for (int k = 0; k < curves.size(); k++) {
            for (Point point : curves.get(k).points()) {
                methods.add(k);
                points.add(point);
            }
        }
        Map<String, Object> arrays = new LinkedHashMap<>();
        arrays.put("method", methods.stream().mapToInt(Integer::intValue).toArray());
        arrays.put("time", Answer.each(points, Point::time));
        arrays.put("steps", Answer.each(points, Point::steps));
        arrays.put("rounds", Answer.each(points, Point::rounds));
        arrays.put("bytes", Answer.each(points, Point::bytes));
        arrays.put("suboptimality", Answer.each(points, Point::suboptimality));
        arrays.put("worst", Answer.each(points, Point::worst));
        return new Answer("compare", header, arrays);
    }
}
