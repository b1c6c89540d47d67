package io.holdfast.localstack;

/** Somebody else listens on the port. */
final class PortTakenException extends LocalStackException {

    private static final long serialVersionUID = 1L;

    PortTakenException(Service service, int port) {
        super(
                "port %d on 127.0.0.1 is taken%s, so %s cannot use it: stop that program or choose another port (0 means any free one)"
                        .formatted(port, PortHolder.describe(port), service.title()));
    }
}
