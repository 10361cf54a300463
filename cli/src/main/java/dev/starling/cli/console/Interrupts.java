package dev.starling.cli.console;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Lets Ctrl-C end a run instead of the process: the first one runs an action, the next one ends the process as usual.
 *
 * <p>{@code sun.misc.Signal} is the only way in Java to hear of Ctrl-C and still choose the exit code. It is called by
 * reflection because the compiler warns of it and cannot be told not to.
 */
public final class Interrupts {

    private Interrupts() {}

    /** Does some work, during which the first Ctrl-C runs an action. */
    public static <T> T handled(Runnable onFirst, Supplier<T> work) {
        Optional<Object> previous = install(onFirst);
        try {
            return work.get();
        } finally {
            previous.ifPresent(Interrupts::restore);
        }
    }

    /** Puts the action in place and returns what was there; nothing on a JVM without signals. */
    private static Optional<Object> install(Runnable onFirst) {
        try {
            Class<?> type = Class.forName("sun.misc.SignalHandler");
            Object standard = type.getField("SIG_DFL").get(null);
            InvocationHandler mine = (proxy, method, args) -> switch (method.getName()) {
                case "handle" -> {
                    handle(standard);
                    onFirst.run();
                    yield null;
                }
                case "equals" -> proxy == args[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> "Ctrl-C";
            };
            ClassLoader loader = Interrupts.class.getClassLoader();
            return Optional.of(handle(Proxy.newProxyInstance(loader, new Class<?>[] {type}, mine)));
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static void restore(Object previous) {
        try {
            handle(previous);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the way Ctrl-C was handled cannot be restored", e);
        }
    }

    private static Object handle(Object handler) throws ReflectiveOperationException {
        Class<?> signal = Class.forName("sun.misc.Signal");
        Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
        Method handle = signal.getMethod("handle", signal, handlerType);
        return handle.invoke(null, signal.getConstructor(String.class).newInstance("INT"), handler);
    }
}
