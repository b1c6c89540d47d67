package io.holdfast.http.wire;

import io.holdfast.json.ContentHash;
import io.holdfast.json.Fields;
import io.holdfast.json.JsonValue.ObjectValue;
import io.holdfast.json.Parsed;
import io.holdfast.reservation.domain.PoolOperation;
import io.holdfast.reservation.domain.StockPoolCommand;
import java.util.Optional;
import java.util.OptionalLong;

/** What can be asked of a pool, read from a body. The operation id is the cause's: asked twice it happens once. */
public sealed interface PoolRequest {

    /** What it asks for, without who and when. */
    ContentHash content();

    /** The command, once its id is known. */
    StockPoolCommand command(String operationId);

    /**
     * Whether asking for the same again later may be meant as a second time: then only a caller's own key tells a retry from it.
     */
    boolean needsKey();

    /**
     * Body of {@code PUT /v1/pools/{pool}}.
     *
     * @param total units
     * @param sale what its gate keeps to; empty for a pool without one
     * @param keyVersion of the secret that the sale's ids are made with from now on; ours to add
     */
    record Create(long total, Optional<SaleTerms> sale, Optional<Integer> keyVersion) implements PoolRequest {
        /** Reads a body. */
        public static Parsed<PoolRequest> parse(ObjectValue body) {
            var fields = new Fields(body);
            var total = fields.integer("total", 0, Fields.MAX_INTEGER);
            var sale = fields.optionalObject("sale", SaleTerms::parse);
            return fields.into(() -> new Create(total.get(), sale.get(), Optional.empty()));
        }

        /** The same, of a sale whose ids are made with this secret. */
        public Create under(int version) {
            return new Create(total, sale, Optional.of(version));
        }

        @Override
        public ContentHash content() {
            var content = ContentHash.of("create-pool").with("total", total);
            sale.ifPresent(terms -> content.with("limit_per_user", terms.limitPerUser())
                    .with("opens_at", terms.opensAt().toString())
                    .with("closes_at", terms.closesAt().toString()));
            // One is what a sale has that names none, so the two are the same request.
            sale.filter(terms -> terms.buckets() > 1).ifPresent(terms -> content.with("buckets", terms.buckets()));
            return content;
        }

        @Override
        public PoolOperation command(String operationId) {
            return new PoolOperation.Init(
                    operationId, total, Optional.empty(), sale.map(terms -> terms.sale(keyVersion.orElseThrow())));
        }

        @Override
        public boolean needsKey() {
            return false;
        }
    }

    /**
     * Body of {@code POST /v1/pools/{pool}/adjustments}.
     *
     * @param total units from now on
     * @param expectedVersion version of the baseline it was based on, where the caller names one
     */
    record Adjust(long total, Optional<Long> expectedVersion) implements PoolRequest {
        /** Reads a body. */
        public static Parsed<PoolRequest> parse(ObjectValue body) {
            var fields = new Fields(body);
            var total = fields.integer("total", 0, Fields.MAX_INTEGER);
            var expected = fields.optionalInteger("expected_version", 1, Fields.MAX_INTEGER);
            return fields.into(() -> new Adjust(total.get(), expected.get()));
        }

        /** The same, based on this version of the baseline. */
        public Adjust basedOn(long version) {
            return new Adjust(total, Optional.of(version));
        }

        @Override
        public ContentHash content() {
            var content = ContentHash.of("adjust-pool").with("total", total);
            expectedVersion.ifPresent(version -> content.with("expected_version", version));
            return content;
        }

        @Override
        public PoolOperation command(String operationId) {
            return new PoolOperation.Adjust(
                    operationId, total, expectedVersion.map(OptionalLong::of).orElseGet(OptionalLong::empty));
        }

        @Override
        public boolean needsKey() {
            return expectedVersion.isEmpty();
        }
    }

    /** {@code POST /v1/pools/{pool}/pause}: no new holds for now. */
    record Pause() implements PoolRequest {
        /** Reads a body: none, or an empty object. */
        public static Parsed<PoolRequest> parse(ObjectValue body) {
            return new Fields(body).into(Pause::new);
        }

        @Override
        public ContentHash content() {
            return ContentHash.of("pause-pool");
        }

        @Override
        public PoolOperation command(String operationId) {
            return new PoolOperation.Pause(operationId);
        }

        @Override
        public boolean needsKey() {
            return true;
        }
    }

    /** {@code POST /v1/pools/{pool}/resume}: new holds again. */
    record Resume() implements PoolRequest {
        /** Reads a body: none, or an empty object. */
        public static Parsed<PoolRequest> parse(ObjectValue body) {
            return new Fields(body).into(Resume::new);
        }

        @Override
        public ContentHash content() {
            return ContentHash.of("resume-pool");
        }

        @Override
        public PoolOperation command(String operationId) {
            return new PoolOperation.Resume(operationId);
        }

        @Override
        public boolean needsKey() {
            return true;
        }
    }

    /** {@code POST /v1/pools/{pool}/close}: no new holds any more. */
    record Close() implements PoolRequest {
        /** Reads a body: none, or an empty object. */
        public static Parsed<PoolRequest> parse(ObjectValue body) {
            return new Fields(body).into(Close::new);
        }

        @Override
        public ContentHash content() {
            return ContentHash.of("close-pool");
        }

        @Override
        public PoolOperation command(String operationId) {
            return new PoolOperation.Close(operationId);
        }

        @Override
        public boolean needsKey() {
            return false;
        }
    }

    /** {@code POST /v1/pools/{pool}/archive}: nothing moves it any more. */
    record Archive() implements PoolRequest {
        /** Reads a body: none, or an empty object. */
        public static Parsed<PoolRequest> parse(ObjectValue body) {
            return new Fields(body).into(Archive::new);
        }

        @Override
        public ContentHash content() {
            return ContentHash.of("archive-pool");
        }

        @Override
        public PoolOperation command(String operationId) {
            return new PoolOperation.Archive(operationId);
        }

        @Override
        public boolean needsKey() {
            return true;
        }
    }

    /** {@code POST /v1/pools/{pool}/verify}: a pool that is frozen, or that Redis does not serve, is compared with the journals now. */
    record Verify() implements PoolRequest {
        /** Reads a body: none, or an empty object. */
        public static Parsed<PoolRequest> parse(ObjectValue body) {
            return new Fields(body).into(Verify::new);
        }

        @Override
        public ContentHash content() {
            return ContentHash.of("verify-pool");
        }

        @Override
        public StockPoolCommand command(String operationId) {
            return new StockPoolCommand.Verify();
        }

        @Override
        public boolean needsKey() {
            return true;
        }
    }

    /** {@code POST /v1/pools/{pool}/rebuild}: Redis is loaded anew from the journals. */
    record Rebuild() implements PoolRequest {
        /** Reads a body: none, or an empty object. */
        public static Parsed<PoolRequest> parse(ObjectValue body) {
            return new Fields(body).into(Rebuild::new);
        }

        @Override
        public ContentHash content() {
            return ContentHash.of("rebuild-pool");
        }

        @Override
        public StockPoolCommand command(String operationId) {
            return new StockPoolCommand.Rebuild();
        }

        @Override
        public boolean needsKey() {
            return true;
        }
    }
}
