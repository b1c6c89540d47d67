package io.holdfast.testkit.simulation;

import io.holdfast.engine.effect.Outcome;
import io.holdfast.engine.runtime.EffectPerformer;
import io.holdfast.testkit.sample.Ticket.Call;
import io.holdfast.testkit.sample.Ticket.Command;
import io.holdfast.testkit.simulation.invariant.MovedOncePerOperation.Movement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The outside world of the sample machine: so many tickets, and what was answered under each operation id. */
class TicketShop implements EffectPerformer<Call, Command> {

    private final Map<String, Command> answers = new HashMap<>();
    private final List<Movement> movements = new ArrayList<>();
    private final int total;
    private int left;

    TicketShop(int total) {
        this.total = total;
        this.left = total;
    }

    @Override
    public CompletionStage<Outcome<Command>> perform(String entityId, Call call) {
        Command answer = answers.get(call.operationId());
        if (answer == null || !remembers(answer)) {
            answer = move(call);
            answers.put(call.operationId(), answer);
        }
        return CompletableFuture.completedFuture(Outcome.known(answer));
    }

    /** Whether an answer is kept under its operation id; a sound shop keeps all. */
    boolean remembers(Command answer) {
        return true;
    }

    private Command move(Call call) {
        return switch (call) {
            case Call.BuyCall(String ticket, int quantity) -> {
                if (quantity > left) {
                    yield new Command.BuyAnswered(false);
                }
                left -= quantity;
                movements.add(new Movement(call.operationId(), ticket + " bought " + quantity));
                yield new Command.BuyAnswered(true);
            }
            case Call.ReturnCall(String ticket, int quantity) -> {
                left += quantity;
                movements.add(new Movement(call.operationId(), ticket + " gave back " + quantity));
                yield new Command.ReturnAnswered();
            }
        };
    }

    List<Movement> movements() {
        return movements;
    }

    int sold() {
        return total - left;
    }
}
