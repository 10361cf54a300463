package dev.starling.serve;

import dev.starling.data.text.Members;
import dev.starling.lab.comparison.Plan;
import dev.starling.network.Topology;
import dev.starling.runtime.StopSignal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A request for what theory predicts.
 *
 * @param plan the prediction
 */
record PlanRequest(Plan plan) implements Request {

    private static final Set<String> MEMBERS =
            Set.of("op", "id", "arrays", "samples", "kappa", "kappa-batch", "tau", "nodes", "topology");

    /** Takes a request apart. */
    static PlanRequest of(Members header) {
        header.requireOnly(MEMBERS);
        double kappa = header.number("kappa", Double.NaN);
        return new PlanRequest(Plan.of(
                header.number("samples", Double.NaN),
                kappa,
                header.number("kappa-batch", kappa),
                header.number("tau", 1),
                Topology.named(header.text("topology").orElse("complete"))
                        .build((int) Math.min(header.whole("nodes", 4), 1 << 16), 1)));
    }

    @Override
    public Answer run(StopSignal signal, Events events) {
        List<Plan.Estimate> estimates = plan.estimates();
        Map<String, Object> header = new LinkedHashMap<>();
        header.put("methods", estimates.stream().map(Plan.Estimate::method).toList());
        header.put("remarks", estimates.stream().map(Plan.Estimate::remark).toList());
        header.put("lowerBound", plan.lowerBoundPerDigit());
        header.put("gamma", plan.gamma());
        return new Answer("plan", header, Map.of("timePerDigit", Answer.each(estimates, Plan.Estimate::timePerDigit)));
    }
}
