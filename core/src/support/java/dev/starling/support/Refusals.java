package dev.starling.support;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.starling.data.InvalidInputException;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What is wrong with somebody's input is said by one kind of exception. */
public final class Refusals {

    private Refusals() {}

    /** Fails unless input is refused; what is said can be looked at further. */
    public static AbstractThrowableAssert<?, ? extends Throwable> assertThatRefused(ThrowingCallable call) {
        return assertThatThrownBy(call).isInstanceOf(InvalidInputException.class);
    }
}
