package io.holdfast.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;

/** Writes wire records: snake_case names, RFC 3339 times, what is absent left out. Safe for use by many threads. */
public final class JsonWriter {

    private static final ObjectWriter WRITER = JsonMapper.builder()
            .addModule(new Jdk8Module())
            .addModule(new JavaTimeModule())
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.NON_ABSENT, JsonInclude.Include.NON_ABSENT))
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
            .build()
            .writer();

    private JsonWriter() {}

    /** The record as JSON in UTF-8. */
    public static byte[] write(Object wireRecord) {
        try {
            return WRITER.writeValueAsBytes(wireRecord);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a wire record that can't be written: " + wireRecord.getClass(), e);
        }
    }
}
