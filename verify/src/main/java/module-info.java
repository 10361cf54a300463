/** Checks certificates, by code that training does not use: start with {@link dev.starling.verify.Verifier}. */
module dev.starling.verify {
    requires transitive dev.starling.core;
    requires org.apache.commons.numbers.core;
    requires tools.jackson.core;

    exports dev.starling.verify;
}
