package io.holdfast.engine.journal.jdbc;

import io.holdfast.engine.journal.jdbc.JournalRow.Stored;
import org.apache.pekko.persistence.PersistentRepr;
import org.apache.pekko.persistence.PersistentRepr$;
import org.apache.pekko.persistence.journal.Tagged;
import org.apache.pekko.serialization.Serialization;
import org.apache.pekko.serialization.Serializer;
import org.apache.pekko.serialization.Serializers;
import scala.Option;
import scala.Tuple2;
import scala.util.Failure;
import scala.util.Success;
import scala.util.Try;

/** Between what Pekko persists and what is stored. */
final class RowCodec {

    private final Serialization serialization;

    RowCodec(Serialization serialization) {
        this.serialization = serialization;
    }

    /** Throws whatever the serializer throws, also what Java would have to declare. */
    JournalRow row(PersistentRepr event) {
        if (event.payload() instanceof Tagged) {
            throw new UnsupportedOperationException(
                    "this journal stores no tags: projections read the journal itself, by slices");
        }
        Option<Object> metadata = event.metadata();
        return new JournalRow(
                event.persistenceId(),
                event.sequenceNr(),
                event.deleted(),
                event.writerUuid(),
                event.timestamp(),
                event.manifest(),
                stored(event.payload()),
                metadata.isDefined() ? stored(metadata.get()) : null);
    }

    /** The event and its place in the journal as a whole; failed if it can't be read. */
    Try<Tuple2<PersistentRepr, Object>> event(ReplayReads.Line line) {
        try {
            JournalRow row = line.row();
            PersistentRepr event = PersistentRepr$.MODULE$
                    .apply(
                            object(row.payload()),
                            row.sequenceNumber(),
                            row.persistenceId(),
                            row.adapterManifest(),
                            row.deleted(),
                            null,
                            row.writer())
                    .withTimestamp(row.timestamp());
            var metadata = row.metadata();
            return new Success<>(
                    new Tuple2<>(metadata == null ? event : event.withMetadata(object(metadata)), line.ordering()));
        } catch (Exception e) {
            // Scala throws what Java would have to declare.
            return new Failure<>(e);
        }
    }

    private Stored stored(Object object) {
        Serializer serializer = serialization.findSerializerFor(object);
        return new Stored(
                serializer.identifier(),
                Serializers.manifestFor(serializer, object),
                serialization.serialize(object).get());
    }

    private Object object(Stored stored) {
        return serialization
                .deserialize(stored.bytes(), stored.serializer(), stored.manifest())
                .get();
    }
}
