/** The starling command. It exports nothing: what it does is in the libraries. */
module dev.starling.cli {
    requires dev.starling.core;
    requires dev.starling.lab;
    requires dev.starling.peer;
    requires dev.starling.serve;
    requires dev.starling.statistics;
    requires dev.starling.tables;
    requires dev.starling.verify;
    requires info.picocli;
    requires java.logging;
    requires java.net.http;
    requires jdk.httpserver;
    requires me.tongfei.progressbar;
    requires tools.jackson.core;

    opens dev.starling.cli to
            info.picocli;
    opens dev.starling.cli.compare to
            info.picocli;
    opens dev.starling.cli.console to
            info.picocli;
    opens dev.starling.cli.evaluate to
            info.picocli;
    opens dev.starling.cli.export to
            info.picocli;
    opens dev.starling.cli.make to
            info.picocli;
    opens dev.starling.cli.options to
            info.picocli;
    opens dev.starling.cli.page to
            info.picocli;
    opens dev.starling.cli.playground to
            info.picocli;
    opens dev.starling.cli.serve to
            info.picocli;
    opens dev.starling.cli.show to
            info.picocli;
    opens dev.starling.cli.sites to
            info.picocli;
    opens dev.starling.cli.statistics to
            info.picocli;
    opens dev.starling.cli.table to
            info.picocli;
    opens dev.starling.cli.train to
            info.picocli;
    opens dev.starling.cli.verify to
            info.picocli;
}
