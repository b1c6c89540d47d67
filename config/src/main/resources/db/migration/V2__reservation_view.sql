-- Projection "reservation_view": every reservation as its journal adds up, for lists and for comparing pools with Redis.

create table reservation_view (
    reservation_id  text        collate "C" primary key,
    -- The shown status: MANUAL_REVIEW while a person must look, else the state's own.
    status          text        not null,
    -- What was asked for. Empty for one that ended, or whose order was heard of, before it was asked for.
    pool            text        collate "C",
    merchant        text,
    dish            text,
    order_id        text        collate "C",
    order_item_id   text,
    user_id         text        collate "C",
    order_type      text,
    processing_time timestamptz,
    quantity        bigint,
    attention_at    timestamptz,
    -- Where the units went.
    confirmed       bigint      not null default 0,
    released        bigint      not null default 0,
    refunded        bigint      not null default 0,
    -- Why it is under review; empty when it is not.
    review          text,
    -- Epoch and version of the pool after the latest operation of this reservation.
    epoch           bigint,
    redis_version   bigint,
    created_at      timestamptz not null,
    updated_at      timestamptz not null,
    sequence_number bigint      not null,
    -- The whole state as JSON: what the next event is applied to.
    state           jsonb       not null,
    slice           integer     not null generated always as (hashtext('reservation|' || reservation_id) & 127) stored,

    constraint reservation_view_status check (status in (
        'NONE', 'PREPARING', 'RESERVED', 'CREATED_RESERVED', 'CONFIRMING', 'CONFIRMED', 'CANCELING', 'CANCELED',
        'REFUNDING', 'REFUNDED', 'REJECTED', 'MANUAL_REVIEW')),
    constraint reservation_view_order_type check (order_type in ('INSTANT', 'SCHEDULED')),
    constraint reservation_view_scheduled check ((order_type = 'SCHEDULED') = (processing_time is not null)),
    constraint reservation_view_claim check (
        num_nulls(pool, merchant, dish, order_id, order_item_id, order_type, quantity, attention_at) in (0, 8)),
    constraint reservation_view_quantity check (quantity > 0),
    constraint reservation_view_units check (
        confirmed >= 0 and released >= 0 and refunded >= 0
        and confirmed + released <= coalesce(quantity, 0) and released + refunded <= coalesce(quantity, 0)),
    constraint reservation_view_review check ((status = 'MANUAL_REVIEW') = (review is not null)),
    constraint reservation_view_version check ((epoch is null) = (redis_version is null)),
    constraint reservation_view_sequence check (sequence_number > 0)
) with (
    -- A reservation is rewritten a few times in its first seconds, then rests: room for that on its page.
    fillfactor = 70
);

-- Lists are read from the newest, by the pair (created_at, reservation_id); a filter comes first.
create index reservation_view_by_time   on reservation_view (created_at desc, reservation_id desc);
create index reservation_view_by_order  on reservation_view (order_id, created_at desc, reservation_id desc) where order_id is not null;
create index reservation_view_by_user   on reservation_view (user_id, created_at desc, reservation_id desc) where user_id is not null;
create index reservation_view_by_status on reservation_view (status, created_at desc, reservation_id desc);
create index reservation_view_by_pool   on reservation_view (pool, created_at desc, reservation_id desc) where pool is not null;
-- A comparison of a pool goes through it by id.
create index reservation_view_of_pool   on reservation_view (pool, reservation_id) where pool is not null;

comment on table reservation_view is 'Projection "reservation_view": one row per reservation, as of sequence_number.';
