package dev.starling.peer.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What a seed stands for. */
final class Campaign {

    private static final int MOST_FAULTS = 30;

    private Campaign() {}

    private record Choice(Scenario scenario, Simulation.Mode mode, int faults) {}

    private static Choice choice(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Scenario scenario = Scenario.ALL.get(random.nextInt(Scenario.ALL.size()));
        Simulation.Mode mode = switch (random.nextInt(10)) {
            case 0, 1 -> Simulation.Mode.RESTORED;
            case 2 -> Simulation.Mode.DEVIATING;
            case 3, 4 -> Simulation.Mode.FOLLOWED;
            default -> Simulation.Mode.SURVIVABLE;
        };
        return new Choice(scenario, mode, 1 + random.nextInt(MOST_FAULTS));
    }

    static Simulation simulation(long seed, Consumer<String> trace) {
        Choice choice = choice(seed);
        return new Simulation(seed, choice.scenario, choice.mode, choice.faults, trace);
    }

    /** A simulation of one scenario, in which only some kinds of things go wrong. */
    static Simulation simulation(long seed, String scenario, Simulation.Mode mode, Consumer<String> trace) {
        Scenario chosen = Scenario.ALL.stream()
                .filter(one -> one.toString().equals(scenario))
                .findFirst()
                .orElseThrow();
        return new Simulation(seed, chosen, mode, choice(seed).faults, trace);
    }

    /** A simulation in which a process dies at one event and nothing else goes wrong. */
    record Death(Scenario scenario, long event) implements Supplier<Simulation> {
        @Override
        public Simulation get() {
            return new Simulation(1, scenario, Simulation.Mode.CALM, 0, null).killingAt(event, false);
        }

        @Override
        public String toString() {
            return "death at event " + event + " of " + scenario;
        }
    }

    /** A death at every event of every network. */
    static List<Death> deaths() {
        List<Death> deaths = new ArrayList<>();
        for (Scenario scenario : Scenario.ALL) {
            long events = new Simulation(1, scenario, Simulation.Mode.CALM, 0, null)
                    .run()
                    .events();
            for (long event = 1; event <= events; event++) {
                deaths.add(new Death(scenario, event));
            }
        }
        return deaths;
    }

    static String describe(long seed) {
        Choice choice = choice(seed);
        return choice.scenario + ", " + choice.mode.toString().toLowerCase(java.util.Locale.ROOT);
    }
}
