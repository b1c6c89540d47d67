package io.holdfast.messaging.out;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Business data in the making: what is absent is left out. */
final class Data {

    private final Map<String, Object> fields = new LinkedHashMap<>();

    Data with(String name, Object value) {
        if (value instanceof Optional<?> optional) {
            optional.ifPresent(present -> fields.put(name, present));
        } else {
            fields.put(name, value);
        }
        return this;
    }

    Data with(Data others) {
        fields.putAll(others.fields);
        return this;
    }

    Map<String, Object> fields() {
        return Collections.unmodifiableMap(fields);
    }
}
