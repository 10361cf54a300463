/** Starling for other languages: a child process that is spoken to through its pipes. */
module dev.starling.serve {
    requires transitive dev.starling.core;
    requires dev.starling.lab;
    requires dev.starling.statistics;
    requires dev.starling.tables;

    exports dev.starling.serve;
}
