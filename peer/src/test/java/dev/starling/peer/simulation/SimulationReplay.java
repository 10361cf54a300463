package dev.starling.peer.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * What {@code .ci/sim} runs: a range of seeds, or one seed with everything that happens. No build runs it by itself.
 */
public final class SimulationReplay {

    @Test
    void simulates() {
        String arguments = System.getProperty("starling.simulated.arguments", "--seed\t1");
        assertThat(run(arguments.split("\t")))
                .as("simulations in which something does not hold")
                .isEmpty();
    }

    /** Runs what the arguments say. */
    public static void main(String[] arguments) {
        System.exit(run(arguments).isEmpty() ? 0 : 1);
    }

    private static List<String> run(String... arguments) {
        long first = 1;
        long count = 1;
        long deadline = Long.MAX_VALUE;
        Consumer<String> trace = null;
        String scenario = null;
        Simulation.Mode mode = Simulation.Mode.SURVIVABLE;
        int part = 0;
        int parts = 0;
        for (int k = 0; k < arguments.length; k++) {
            switch (arguments[k]) {
                case "--seed" -> first = Long.parseLong(arguments[++k]);
                case "--count" -> count = Long.parseLong(arguments[++k]);
                case "--seconds" -> deadline = System.nanoTime() + Long.parseLong(arguments[++k]) * 1_000_000_000;
                case "--trace" -> trace = System.out::println;
                case "--scenario" -> scenario = arguments[++k];
                case "--deaths" -> {
                    String[] which = arguments[++k].split("/");
                    part = Integer.parseInt(which[0]);
                    parts = Integer.parseInt(which[1]);
                }
                case "--mode" -> mode = Simulation.Mode.valueOf(arguments[++k].toUpperCase(Locale.ROOT));
                default -> throw new IllegalArgumentException("unknown: " + arguments[k]);
            }
        }
        Map<Fault, Integer> faults = new EnumMap<>(Fault.class);
        long events = 0;
        int right = 0;
        List<String> failed = new ArrayList<>();
        List<Campaign.Death> deaths = parts > 0 ? Campaign.deaths() : List.of();
        long end = parts > 0 ? deaths.size() : first + count;
        count = 0;
        for (long seed = parts > 0 ? part : first; seed < end; seed += Math.max(1, parts)) {
            if (System.nanoTime() > deadline) {
                System.out.println("OUT OF TIME before " + (parts > 0 ? deaths.get((int) seed) : "seed " + seed));
                break;
            }
            Simulation simulation;
            String what;
            if (parts > 0) {
                simulation = deaths.get((int) seed).get();
                what = deaths.get((int) seed).toString();
            } else if (scenario == null) {
                simulation = Campaign.simulation(seed, trace);
                what = "seed " + seed + " (" + Campaign.describe(seed) + ")";
            } else {
                simulation = Campaign.simulation(seed, scenario, mode, trace);
                what = "seed " + seed + " (" + scenario + ")";
            }
            Simulation.Result result = simulation.run();
            result.faults().forEach((fault, times) -> faults.merge(fault, times, Integer::sum));
            events += result.events();
            right += result.right() ? 1 : 0;
            count++;
            if (result.violation() != null || (parts > 0 && !result.right())) {
                failed.add(what);
                System.out.println(what + ": " + result.violation());
            }
        }
        System.out.printf(
                Locale.ROOT,
                "%d simulations, %d of which ended with the right model at all sites; %d in which something does not"
                        + " hold; %d events, %d faults%n",
                count,
                right,
                failed.size(),
                events,
                faults.values().stream().mapToInt(Integer::intValue).sum());
        faults.forEach((fault, times) -> System.out.printf(Locale.ROOT, "%8d %s%n", times, fault.text()));
        return failed;
    }
}
