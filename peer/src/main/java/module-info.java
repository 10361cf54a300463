/** A node as a process: sites that train together over mutual TLS. */
module dev.starling.peer {
    requires transitive dev.starling.core;
    requires transitive dev.starling.tables;
    requires com.google.common;
    requires com.google.protobuf;
    requires io.grpc;
    requires io.grpc.netty.shaded;
    requires io.grpc.protobuf;
    requires io.grpc.stub;
    requires io.prometheus.metrics.core;
    requires io.prometheus.metrics.model;
    requires io.prometheus.writer.text;
    requires java.naming;
    requires jdk.httpserver;
    requires org.bouncycastle.pkix;
    requires org.bouncycastle.provider;
    requires org.snakeyaml.engine.v2;
    requires tools.jackson.core;

    exports dev.starling.peer.bulletin to
            dev.starling.cli;
    exports dev.starling.peer.cohort to
            dev.starling.cli;
    exports dev.starling.peer.config;
    exports dev.starling.peer.events;
    exports dev.starling.peer.keys;
    exports dev.starling.peer.membership to
            dev.starling.cli;
    exports dev.starling.peer.metrics to
            dev.starling.cli;
    exports dev.starling.peer.node;
    exports dev.starling.peer.policy;
    exports dev.starling.peer.setup to
            dev.starling.cli;
    exports dev.starling.peer.sums to
            dev.starling.cli;
    exports dev.starling.peer.transport to
            dev.starling.cli;
    exports dev.starling.peer.trust to
            dev.starling.cli;
}
