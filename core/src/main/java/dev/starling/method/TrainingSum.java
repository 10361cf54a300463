package dev.starling.method;

import dev.starling.node.SumKind;
import dev.starling.node.SumRequest;

/**
 * A sum that the nodes of a method may add up while they train.
 *
 * @param kind what it tells about rows
 * @param name what it is called where sums are listed, in a site's ledger for example
 * @param numbers how many numbers it has, at most
 */
public record TrainingSum(SumKind kind, String name, long numbers) {

    /** Returns whether a request is for such a sum. */
    public boolean covers(SumRequest request) {
        return request.kind() == kind && request.name().equals(name) && request.numbers() <= numbers;
    }
}
