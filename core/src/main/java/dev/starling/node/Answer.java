package dev.starling.node;

import java.io.IOException;

/** A phase that asks the driver a question and ends with the answer, which may differ from node to node. */
public final class Answer implements Phase<double[]> {

    private final String question;
    private final Exchange exchange = new Exchange();
    private double[] answer;

    /**
     * Creates a phase that asks one question.
     *
     * @param question the question, by the name that drivers know
     */
    public Answer(String question) {
        this.question = question;
    }

    @Override
    public Exchange advance() {
        return answer == null ? exchange.ask(question) : exchange.end();
    }

    @Override
    public void absorb(double[][] messages) {
        answer = messages[0].clone();
    }

    @Override
    public boolean isDone() {
        return answer != null;
    }

    @Override
    public double[] result() {
        return answer;
    }

    @Override
    public int longestMessage() {
        return 0;
    }

    @Override
    public void state(State s) throws IOException {
        answer = s.flag(answer != null) ? s.vector(answer, 1 << 10) : null;
    }
}
