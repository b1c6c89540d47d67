package io.holdfast.engine.journal;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import com.fasterxml.jackson.datatype.jsr310.deser.InstantDeserializer;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;

/** Has Jackson write and read moments by {@link Moments}; what is not one is refused as it refuses it. */
final class MomentsModule extends SimpleModule {

    private static final long serialVersionUID = 1L;

    MomentsModule() {
        super("holdfast-moments");
        addSerializer(Instant.class, new Writer());
        addDeserializer(Instant.class, new Reader());
    }

    private static final class Writer extends StdScalarSerializer<Instant> {

        private static final long serialVersionUID = 1L;

        Writer() {
            super(Instant.class);
        }

        @Override
        public void serialize(Instant moment, JsonGenerator json, SerializerProvider provider) throws IOException {
            json.writeString(Moments.text(moment));
        }
    }

    private static final class Reader extends StdScalarDeserializer<Instant> {

        private static final long serialVersionUID = 1L;

        Reader() {
            super(Instant.class);
        }

        @Override
        public Instant deserialize(JsonParser json, DeserializationContext context) throws IOException {
            if (json.currentToken() == JsonToken.VALUE_STRING) {
                try {
                    return Moments.parse(json.getText());
                } catch (DateTimeException _) {
                    return InstantDeserializer.INSTANT.deserialize(json, context);
                }
            }
            return InstantDeserializer.INSTANT.deserialize(json, context);
        }
    }
}
