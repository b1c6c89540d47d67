package io.holdfast.engine.journal.jdbc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.Scheduler;
import org.apache.pekko.japi.Pair;
import org.apache.pekko.pattern.Patterns;
import org.apache.pekko.persistence.AtomicWrite;
import org.apache.pekko.persistence.PersistentRepr;
import org.apache.pekko.persistence.jdbc.config.JournalConfig;
import org.apache.pekko.persistence.jdbc.journal.dao.JournalDao;
import org.apache.pekko.serialization.Serialization;
import org.apache.pekko.stream.Materializer;
import org.apache.pekko.stream.javadsl.Source;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.Tuple2;
import scala.collection.immutable.Nil$;
import scala.collection.immutable.Seq;
import scala.concurrent.ExecutionContext;
import scala.concurrent.Future;
import scala.concurrent.Future$;
import scala.concurrent.duration.FiniteDuration;
import scala.jdk.javaapi.CollectionConverters;
import scala.jdk.javaapi.FutureConverters;
import scala.runtime.BoxedUnit;
import scala.util.Failure;
import scala.util.Success;
import scala.util.Try;
import slick.jdbc.JdbcBackend.JdbcDatabaseDef;
import slick.jdbc.JdbcProfile;

/**
 * The journal of this engine as pekko-persistence-jdbc sees it: set as {@code jdbc-journal.dao}. It keeps the plugin's table, so the
 * plugin's own queries by persistence id work. It stores no tags.
 *
 * <p>A write that fails ends with {@link JournalWriteFailed}, within {@code holdfast-journal.write-deadline} in any case.
 */
public final class GroupCommitJournalDao implements JournalDao {

    private final RunningJournal journal;
    private final RowCodec codec;
    private final ExecutionContext dispatcher;

    /** Called by the plugin, with all it has to offer. */
    public GroupCommitJournalDao(
            JdbcDatabaseDef database,
            JdbcProfile profile,
            JournalConfig config,
            Serialization serialization,
            ExecutionContext dispatcher,
            Materializer materializer) {
        this.journal = GroupCommit.of(materializer.system()).running(dispatcher::execute);
        this.codec = new RowCodec(serialization);
        this.dispatcher = dispatcher;
    }

    @Override
    public Future<Seq<Try<BoxedUnit>>> asyncWriteMessages(Seq<AtomicWrite> messages) {
        List<JournalRow> rows = new ArrayList<>(messages.size());
        @Nullable Try<BoxedUnit>[] rejected = null;
        int place = 0;
        for (var each = messages.iterator(); each.hasNext(); place++) {
            int before = rows.size();
            try {
                for (var events = each.next().payload().iterator(); events.hasNext(); ) {
                    rows.add(codec.row(events.next()));
                }
            } catch (Exception e) {
                // Scala throws what Java would have to declare. Nothing of this one is stored, and its entity is told
                // so; the others are stored.
                rows.subList(before, rows.size()).clear();
                rejected = rejected == null ? allStored(messages.size()) : rejected;
                rejected[place] = new Failure<>(e);
            }
        }
        Seq<Try<BoxedUnit>> answer = rejected == null
                ? nothingRejected()
                : CollectionConverters.asScala(Arrays.asList(rejected)).toList();
        return rows.isEmpty() ? Future$.MODULE$.successful(answer) : journal.write(rows, answer);
    }

    @Override
    public Future<Object> highestSequenceNr(String persistenceId, long from) {
        return journal.highestSequenceNumber(persistenceId);
    }

    @Override
    public Future<BoxedUnit> delete(String persistenceId, long to) {
        return journal.delete(persistenceId, to);
    }

    @Override
    public org.apache.pekko.stream.scaladsl.Source<Try<Tuple2<PersistentRepr, Object>>, NotUsed> messages(
            String persistenceId, long from, long to, long most) {
        return Source.completionStage(FutureConverters.asJava(journal.page(persistenceId, from, to, most)))
                .mapConcat(lines -> lines)
                .map(codec::event)
                .asScala();
    }

    @Override
    public org.apache.pekko.stream.scaladsl.Source<Try<Tuple2<PersistentRepr, Object>>, NotUsed> messagesWithBatch(
            String persistenceId, long from, long to, int pageSize, Option<Tuple2<FiniteDuration, Scheduler>> refresh) {
        if (refresh.isEmpty() && to - from < pageSize) {
            return messages(persistenceId, from, to, pageSize);
        }
        return Source.<Long, List<ReplayReads.Line>>unfoldAsync(
                        from, next -> nextPage(persistenceId, next, to, pageSize, refresh))
                .mapConcat(lines -> lines)
                .map(codec::event)
                .asScala();
    }

    /** The rows from a number on, and the number to go on with; empty when there is nothing more to come. */
    private CompletionStage<Optional<Pair<Long, List<ReplayReads.Line>>>> nextPage(
            String persistenceId, long from, long to, int pageSize, Option<Tuple2<FiniteDuration, Scheduler>> refresh) {
        if (from > to) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        return FutureConverters.asJava(journal.page(persistenceId, from, to, pageSize))
                .thenCompose(lines -> {
                    if (!lines.isEmpty()) {
                        return CompletableFuture.completedFuture(
                                Optional.of(Pair.create(lines.getLast().row().sequenceNumber() + 1, lines)));
                    }
                    if (refresh.isEmpty()) {
                        return CompletableFuture.completedFuture(Optional.empty());
                    }
                    return Patterns.after(
                            java.time.Duration.ofNanos(refresh.get()._1().toNanos()),
                            refresh.get()._2(),
                            dispatcher,
                            () -> nextPage(persistenceId, from, to, pageSize, refresh));
                });
    }

    @SuppressWarnings("unchecked")
    private static Try<BoxedUnit>[] allStored(int count) {
        Try<BoxedUnit>[] all = new Try[count];
        Arrays.fill(all, new Success<>(BoxedUnit.UNIT));
        return all;
    }

    /** The plugin's short form of it: an empty sequence. */
    @SuppressWarnings("unchecked")
    private static Seq<Try<BoxedUnit>> nothingRejected() {
        return (Seq<Try<BoxedUnit>>) (Seq<?>) Nil$.MODULE$;
    }
}
