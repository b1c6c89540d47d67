package io.holdfast.http.route;

import static org.awaitility.Awaitility.await;

import io.holdfast.engine.runtime.EffectPerformer;
import io.holdfast.engine.runtime.Entities;
import io.holdfast.testkit.entities.EntitiesConformance;
import io.holdfast.testkit.sample.Ticket;
import io.holdfast.testkit.sample.Ticket.Call;
import io.holdfast.testkit.sample.Ticket.Command;
import io.holdfast.testkit.sample.Ticket.Event;
import io.holdfast.testkit.sample.TicketMachine;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** The entities that the routes are tested over keep the contract. */
class InMemoryEntitiesTest extends EntitiesConformance {

    private @Nullable InMemoryEntities<Ticket, Command, Event, Call> tickets;

    @AfterEach
    void close() {
        tickets.close();
    }

    @Override
    protected Entities<Ticket, Command> over(EffectPerformer<Call, Command> outside) {
        tickets = new InMemoryEntities<>(new TicketMachine(), outside);
        return tickets;
    }

    @Override
    protected <T> T when(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    @Override
    protected void until(BooleanSupplier so) {
        await().atMost(Duration.ofSeconds(30)).until(so::getAsBoolean);
    }

    @Override
    protected Instant now() {
        return Instant.now();
    }

    @Override
    protected void lose(String entityId) {
        tickets.lose(entityId);
    }
}
