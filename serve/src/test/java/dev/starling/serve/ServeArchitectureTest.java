package dev.starling.serve;

import dev.starling.support.LibraryRules;

class ServeArchitectureTest extends LibraryRules {

    ServeArchitectureTest() {
        super(classesOf("dev.starling.serve"));
    }

    /** It sends to standard error what others print, since standard output is its own. */
    @Override
    protected void printsNothing() {}
}
