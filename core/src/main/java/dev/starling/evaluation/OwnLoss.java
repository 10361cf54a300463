package dev.starling.evaluation;

import dev.starling.data.InvalidInputException;
import dev.starling.loss.Loss;
import dev.starling.loss.Losses;
import dev.starling.model.LinearModel;
import java.util.Optional;

/** Looks up the loss that a model was trained with, if it is one of Starling's. */
final class OwnLoss {

    private OwnLoss() {}

    static Optional<Loss> of(LinearModel model) {
        try {
            return Optional.of(Losses.named(model.loss()));
        } catch (InvalidInputException e) {
            return Optional.empty();
        }
    }
}
