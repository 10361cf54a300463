package dev.starling.peer.simulation;

import java.util.EnumMap;
import java.util.Map;

/** Runs simulations from the command line: a range of seeds, or one seed with everything that happens. */
public final class SimulationMain {

    private SimulationMain() {}

    /** Runs what the arguments say. */
    public static void main(String[] arguments) {
        long first = 1;
        long count = 1;
        boolean trace = false;
        for (int k = 0; k < arguments.length; k++) {
            switch (arguments[k]) {
                case "--seed" -> first = Long.parseLong(arguments[++k]);
                case "--count" -> count = Long.parseLong(arguments[++k]);
                case "--trace" -> trace = true;
                default -> throw new IllegalArgumentException("unknown: " + arguments[k]);
            }
        }
        Map<Fault, Integer> faults = new EnumMap<>(Fault.class);
        long events = 0;
        int right = 0;
        int failed = 0;
        long start = System.nanoTime();
        for (long seed = first; seed < first + count; seed++) {
            Simulation.Result result =
                    Campaign.simulation(seed, trace ? System.out::println : null).run();
            result.faults().forEach((fault, times) -> faults.merge(fault, times, Integer::sum));
            events += result.events();
            right += result.right() ? 1 : 0;
            if (result.violation() != null) {
                failed++;
                System.out.println("seed " + seed + " (" + Campaign.describe(seed) + "): " + result.violation());
            }
        }
        double seconds = (System.nanoTime() - start) * 1e-9;
        int all = faults.values().stream().mapToInt(Integer::intValue).sum();
        System.out.printf(
                "%d runs, %d right, %d failed, %d events, %d faults %s, %.1f s%n",
                count, right, failed, events, all, faults, seconds);
        System.exit(failed == 0 ? 0 : 1);
    }
}
