/** The table a statistician reads: standard errors, tests and intervals, with a proof of every printed number. */
module dev.starling.statistics {
    requires transitive dev.starling.core;
    requires dev.starling.tables;

    exports dev.starling.statistics;
}
