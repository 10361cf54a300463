package dev.starling.statistics;

import dev.starling.support.LibraryRules;

class StatisticsArchitectureTest extends LibraryRules {

    StatisticsArchitectureTest() {
        super(classesOf("dev.starling.statistics"));
    }
}
