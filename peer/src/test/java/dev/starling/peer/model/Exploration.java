package dev.starling.peer.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * All states that a small system can be in, one step after the other.
 *
 * @param states how many states were visited
 * @param violation the steps that lead to the first state in which something is wrong, if there is one
 */
record Exploration(int states, Optional<List<String>> violation) {

    /** A step and where it leads. */
    record Step<S>(String name, S state) {}

    /** Visits every state that can be reached, nearest first, so that a violation is found by its shortest way. */
    static <S> Exploration of(S start, Function<S, List<Step<S>>> steps, Predicate<S> right) {
        Map<S, Step<S>> reachedBy = new HashMap<>();
        Deque<S> next = new ArrayDeque<>(List.of(start));
        reachedBy.put(start, new Step<>("", start));
        while (!next.isEmpty()) {
            S state = next.remove();
            if (!right.test(state)) {
                return new Exploration(reachedBy.size(), Optional.of(way(start, state, reachedBy)));
            }
            for (Step<S> step : steps.apply(state)) {
                if (reachedBy.putIfAbsent(step.state(), new Step<>(step.name(), state)) == null) {
                    next.add(step.state());
                }
            }
        }
        return new Exploration(reachedBy.size(), Optional.empty());
    }

    private static <S> List<String> way(S start, S end, Map<S, Step<S>> reachedBy) {
        List<String> names = new ArrayList<>();
        for (S state = end; !state.equals(start); state = reachedBy.get(state).state()) {
            names.add(reachedBy.get(state).name());
        }
        Collections.reverse(names);
        return names;
    }
}
