package dev.starling.lab.baseline;

import static dev.starling.lab.baseline.Baseline.plain;
import static dev.starling.lab.baseline.Baseline.stepped;

import dev.starling.lab.baseline.curvature.FedNl;
import dev.starling.lab.baseline.curvature.NetworkGiant;
import dev.starling.lab.baseline.dual.Cola;
import dev.starling.lab.baseline.dual.Dadao;
import dev.starling.lab.baseline.dual.Dvr;
import dev.starling.lab.baseline.dual.DvrCatalyst;
import dev.starling.lab.baseline.dual.Esdacd;
import dev.starling.lab.baseline.dual.Msda;
import dev.starling.lab.baseline.dual.PointSaga;
import dev.starling.lab.baseline.gossip.AccVr;
import dev.starling.lab.baseline.gossip.AdaptiveNids;
import dev.starling.lab.baseline.gossip.AdomPlus;
import dev.starling.lab.baseline.gossip.Extra;
import dev.starling.lab.baseline.gossip.GtSaga;
import dev.starling.lab.baseline.gossip.Mudag;
import dev.starling.lab.baseline.gossip.Nids;
import dev.starling.lab.baseline.gossip.Ogt;
import dev.starling.lab.baseline.gossip.Opapc;
import dev.starling.lab.baseline.gossip.ProxSkip;
import dev.starling.lab.baseline.similarity.Sliding;
import dev.starling.lab.baseline.similarity.Sonata;
import dev.starling.lab.baseline.similarity.Spag;
import dev.starling.lab.baseline.sparse.AdfsSparse;
import dev.starling.lab.baseline.sparse.Dsba;
import dev.starling.lab.baseline.sparse.DsbaSparse;
import dev.starling.lab.variant.Algorithm;
import java.util.List;

/** The methods that ADFS is compared with, by their names on the command line. */
public final class Baselines {

    private static final List<Algorithm> ALL = List.of(
            stepped("msda", "multi-step dual accelerated method, batch", Msda::programs),
            plain("esdacd", "edge-synchronous dual accelerated coordinate descent, batch", Esdacd::programs),
            stepped("dsba", "decentralized stochastic backward aggregation", Dsba::programs),
            plain("dsba-sparse", "DSBA that sends the changes of samples instead of iterates", DsbaSparse::programs),
            plain("adfs-sparse", "S-ADFS that sends the changes of samples instead of vectors", AdfsSparse::programs),
            stepped("point-saga", "Point-SAGA on one machine that has all samples", PointSaga::programs),
            stepped("extra", "EXTRA, batch gradients", Extra::programs),
            stepped("nids", "NIDS, batch gradients", Nids::programs),
            stepped("gt-saga", "gradient tracking with SAGA", GtSaga::programs),
            stepped("dvr", "dual variance reduction", on -> Dvr.programs(on, false)),
            stepped("dvr-chebyshev", "dual variance reduction with Chebyshev gossip", on -> Dvr.programs(on, true)),
            stepped(
                    "proxskip",
                    "ProxSkip (Scaffnew), batch gradients with most communications skipped",
                    ProxSkip::programs),
            stepped(
                            "adom-plus",
                            "ADOM+, accelerated batch gradients for graphs that may change",
                            on -> AdomPlus.programs(on, false))
                    .onVaryingEdges(),
            stepped(
                            "adom-vr",
                            "ADOM+VR, accelerated gradients of a few samples for graphs that may change",
                            on -> AdomPlus.programs(on, true))
                    .onVaryingEdges(),
            plain("cola", "CoLA, decentralized dual block descent", Cola::programs),
            plain("dadao", "DADAO, asynchronous accelerated batch gradients and randomised gossip", Dadao::programs),
            plain("fednl", "FedNL, Newton's method with Hessians that are learned gradually", FedNl::programs),
            stepped(
                    "network-giant",
                    "Network-GIANT, gradient tracking along local Newton directions",
                    NetworkGiant::programs),
            stepped("opapc", "optimal proximal alternating predictor-corrector, batch gradients", Opapc::programs),
            stepped(
                    "acc-vr-extra",
                    "EXTRA accelerated, with variance reduction and Chebyshev gossip",
                    on -> AccVr.programs(on, AccVr.Consensus.EXTRA)),
            stepped(
                    "acc-vr-diging",
                    "DIGing accelerated, with variance reduction and Chebyshev gossip",
                    on -> AccVr.programs(on, AccVr.Consensus.DIGING)),
            stepped("mudag", "multi-consensus decentralized accelerated gradient descent, batch", Mudag::programs),
            stepped(
                    "dvr-catalyst",
                    "dual variance reduction with Chebyshev gossip, accelerated by Catalyst",
                    DvrCatalyst::programs),
            stepped("ogt", "optimal gradient tracking with loopless Chebyshev acceleration, batch", Ogt::programs),
            stepped(
                    "aeg",
                    "optimal gradient sliding under similarity, with a hub",
                    on -> Sliding.programs(on, Sliding.Kind.AEG)),
            stepped(
                    "s-dane",
                    "stabilised DANE, proximal steps on every node, with a hub",
                    on -> Sliding.programs(on, Sliding.Kind.S_DANE)),
            stepped(
                    "acc-s-dane",
                    "stabilised DANE, accelerated, with a hub",
                    on -> Sliding.programs(on, Sliding.Kind.ACC_S_DANE)),
            stepped("spag", "accelerated gradient steps preconditioned by the hub's own rows", Spag::programs),
            stepped(
                    "sonata",
                    "SONATA, gradient tracking with proximal steps under similarity",
                    on -> Sonata.programs(on, false)),
            stepped("acc-sonata", "SONATA accelerated by Catalyst, under similarity", on -> Sonata.programs(on, true)),
            plain(
                    "adaptive-nids",
                    "NIDS with steps found by line search at every node, nothing to know beforehand",
                    AdaptiveNids::programs));

    private Baselines() {}

    /** All methods. */
    public static List<Algorithm> all() {
        return ALL;
    }

    /** Returns the method with the given name. */
    public static Algorithm named(String name) {
        return Algorithm.named(name, ALL);
    }
}
