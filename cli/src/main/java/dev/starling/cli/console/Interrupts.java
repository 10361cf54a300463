package dev.starling.cli.console;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Lets Ctrl-C and SIGTERM end a run instead of the process: the first one runs an action, the next one ends the process
 * as usual.
 *
 * <p>{@code sun.misc.Signal} is the only way in Java to handle a signal and still choose the exit code. It is called by
 * reflection because the compiler warns about it and the warning cannot be suppressed.
 */
public final class Interrupts {

    private static final List<String> SIGNALS = List.of("INT", "TERM");

    private Interrupts() {}

    /** Does some work; the first Ctrl-C or SIGTERM during it runs the action. */
    public static <T> T handled(Runnable onFirst, Supplier<T> work) {
        Map<String, Object> previous = install(onFirst);
        try {
            return work.get();
        } finally {
            previous.forEach(Interrupts::restore);
        }
    }

    /** Installs the action and returns the previous handler of each signal; empty on a JVM without signals. */
    private static Map<String, Object> install(Runnable onFirst) {
        Map<String, Object> previous = new HashMap<>();
        try {
            Class<?> type = Class.forName("sun.misc.SignalHandler");
            Object standard = type.getField("SIG_DFL").get(null);
            InvocationHandler mine = (proxy, method, args) -> switch (method.getName()) {
                case "handle" -> {
                    for (String signal : SIGNALS) {
                        handle(signal, standard);
                    }
                    onFirst.run();
                    yield null;
                }
                case "equals" -> proxy == args[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> "ends the run";
            };
            ClassLoader loader = Interrupts.class.getClassLoader();
            Object handler = Proxy.newProxyInstance(loader, new Class<?>[] {type}, mine);
            for (String signal : SIGNALS) {
                previous.put(signal, handle(signal, handler));
            }
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            // A JVM without signals, or one started with -Xrs.
            return previous;
        }
        return previous;
    }

    private static void restore(String signal, Object previous) {
        try {
            handle(signal, previous);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the way SIG" + signal + " was handled cannot be restored", e);
        }
    }

    private static Object handle(String name, Object handler) throws ReflectiveOperationException {
        Class<?> signal = Class.forName("sun.misc.Signal");
        Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
        Method handle = signal.getMethod("handle", signal, handlerType);
        return handle.invoke(null, signal.getConstructor(String.class).newInstance(name), handler);
    }
}
