package io.holdfast.chaos;

/** A run can't be begun, or can't go on; one line with the remedy where there is one. */
final class ChaosException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ChaosException(String line) {
        super(line);
    }

    ChaosException(String line, Throwable cause) {
        super(line, cause);
    }
}
