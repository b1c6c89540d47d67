package io.holdfast.node;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A moment on the command line. */
final class InstantConverter implements ITypeConverter<Instant> {

    @Override
    public Instant convert(String value) {
        try {
            return Instant.parse(value);
        } catch (DateTimeParseException e) {
            throw new TypeConversionException("'" + value + "' is no instant such as 2026-11-29T12:00:00Z");
        }
    }
}
