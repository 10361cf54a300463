package dev.starling.support;

import static org.assertj.core.api.Assertions.assertThat;

/** Compares all fields of two objects. A recursive comparison alone takes numbers 1e-15 apart for equal. */
public final class SameBits {

    private SameBits() {}

    /** Fails if a number anywhere within the two differs in a bit. */
    public static void require(Object found, Object expected) {
        assertThat(found)
                .usingRecursiveComparison()
                .withComparatorForType(Double::compare, Double.class)
                .isEqualTo(expected);
    }
}
