package dev.starling.lab.baseline;

import dev.starling.lab.variant.Algorithm;
import java.util.List;

/** The methods that ADFS is compared with, by their names on the command line. */
public final class Baselines {

    private static final List<Algorithm> ALL = List.of(
            new Msda(),
            new Esdacd(),
            new Dsba(),
            new DsbaSparse(),
            new PointSaga(),
            new Extra(),
            new Nids(),
            new GtSaga(),
            new Dvr(false),
            new Dvr(true),
            new ProxSkip(),
            new AdomPlus(),
            new Cola(),
            new Dadao(),
            new FedNl(),
            new NetworkGiant(),
            new Opapc(),
            AccVr.extra(),
            AccVr.diging(),
            new Mudag(),
            new DvrCatalyst(),
            new Ogt(),
            Sliding.aeg(),
            Sliding.stabilised(),
            Sliding.accelerated(),
            new Spag());

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
