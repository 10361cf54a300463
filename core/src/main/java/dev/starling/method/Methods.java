package dev.starling.method;

import dev.starling.data.InvalidInputException;
import dev.starling.loss.Loss;
import dev.starling.loss.Softmax;
import dev.starling.method.adfs.AdfsMethod;
import dev.starling.method.dual.DualMethod;
import dev.starling.method.multipliers.MultipliersMethod;
import dev.starling.method.newton.NewtonMethod;
import dev.starling.method.newton.ProximalNewtonMethod;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/**
 * The list of all methods, which every runtime uses. A method of your own is found by its name if its class is a
 * service provider for {@link Method}; all nodes need the same classes.
 */
public final class Methods {

    /** The name that leaves the choice to Starling. */
    public static final String AUTO = "auto";

    /**
     * In the order in which {@code auto} looks for one that suits the objective; if none does, it takes the last one
     * that can take it.
     */
    private static final List<Method> ALL = List.of(
            new NewtonMethod(),
            new ProximalNewtonMethod(),
            new MultipliersMethod(),
            new DualMethod(),
            AdfsMethod.standard(),
            AdfsMethod.nonSmooth());

    private Methods() {}

    /** Returns all methods, service providers last. */
    public static List<Method> all() {
        return Stream.concat(ALL.stream(), others()).toList();
    }

    /** Returns the names that a setting may have: {@code auto} and those of all methods. */
    public static List<String> names() {
        return Stream.concat(Stream.of(AUTO), all().stream().map(Method::name)).toList();
    }

    /** Returns the method with a name other than {@code auto}. */
    public static Method named(String name) {
        for (Method method : ALL) {
            if (method.name().equals(name)) {
                return method;
            }
        }
        int colon = name.indexOf(':');
        return others().flatMap(method -> method.name().equals(name)
                        ? Stream.of(method)
                        : colon >= 0 && method.name().equals(name.substring(0, colon))
                                ? method.with(name.substring(colon + 1)).stream()
                                : Stream.empty())
                .findFirst()
                .orElseThrow(() -> InvalidInputException.unknownName("method", name, names()));
    }

    /** The service providers, such as those of the lab. */
    private static Stream<Method> others() {
        return ServiceLoader.load(Method.class).stream().map(ServiceLoader.Provider::get);
    }

    /** Returns whether a method, or for {@code auto} any of them, can take an objective. */
    public static boolean canTake(String name, Objective objective) {
        return objectionTo(name, objective).isEmpty();
    }

    /** Returns why a method cannot take an objective; empty if it can. */
    private static Optional<String> objection(Method method, Objective objective) {
        return objective.loss().outputs() > 1 && !method.takesSeveralOutputs()
                ? Optional.of("method " + method.name() + " takes one score per row, and the loss "
                        + objective.loss().name() + " has one for each class; newton can take it")
                : method.objectionTo(objective);
    }

    private static List<Method> candidates(String name) {
        return name.equals(AUTO) ? ALL : List.of(named(name));
    }

    /**
     * Rejects an unknown name, or a method that cannot take an objective. This needs no rows, so it can be checked
     * before any are read.
     */
    public static void requireTakes(String name, Objective objective) {
        objectionTo(name, objective).ifPresent(objection -> {
            throw new InvalidInputException(objection);
        });
    }

    /** Returns why a method, or for {@code auto} all of them, cannot take an objective; empty if one can. */
    public static Optional<String> objectionTo(String name, Objective objective) {
        List<Method> candidates = candidates(name);
        List<String> objections = candidates.stream()
                .flatMap(method -> objection(method, objective).stream())
                .toList();
        return objections.size() == candidates.size() ? Optional.of(objections.get(0)) : Optional.empty();
    }

    /**
     * Rejects rows with offsets if offsets have no meaning for the problem, or if the method cannot take them.
     *
     * @param problems the number of problems to solve: one per class if there are more than two classes
     */
    public static void requireTakesOffsets(Method method, Loss loss, int problems) {
        if (loss instanceof Softmax) {
            throw new InvalidInputException("the rows have offsets, which the loss " + loss.name()
                    + " cannot take: they would raise the scores of all classes alike; for two classes, logistic can");
        }
        if (problems > 1) {
            throw new InvalidInputException(
                    "the rows have offsets and " + problems + " classes; offsets are for two classes, or for numbers");
        }
        if (!method.takesOffsets()) {
            List<String> able =
                    ALL.stream().filter(Method::takesOffsets).map(Method::name).toList();
            throw new InvalidInputException("the rows have offsets, which method " + method.name()
                    + " cannot take; those that can, with a loss without kinks: " + String.join(", ", able));
        }
    }

    /**
     * Returns the method with a name or, for {@code auto}, the first one that suits. All nodes know the same shape, so
     * they choose the same method.
     *
     * @throws InvalidInputException if no method can take the objective, or rows of this shape
     */
    public static Method chosen(String name, Objective objective, Shape shape) {
        return chosen(name, objective, shape, 2);
    }

    /**
     * Like {@link #chosen(String, Objective, Shape)}, which assumes several nodes, for a known number of them.
     *
     * @throws InvalidInputException if no method can take the objective, or rows of this shape
     */
    public static Method chosen(String name, Objective objective, Shape shape, int nodes) {
        requireTakes(name, objective);
        List<Method> able = candidates(name).stream()
                .filter(method -> objection(method, objective).isEmpty())
                .toList();
        List<Method> fitting = able.stream()
                .filter(method -> method.objectionTo(objective, shape).isEmpty())
                .toList();
        if (fitting.isEmpty()) {
            throw new InvalidInputException(
                    able.get(0).objectionTo(objective, shape).orElseThrow());
        }
        return fitting.stream()
                .filter(method -> method.suits(objective, shape) && (nodes == 1 || method.suitsSeveralNodes()))
                .findFirst()
                .orElseGet(() -> fitting.get(fitting.size() - 1));
    }
}
