-- Webhooks: who wants to be called about what, with which secrets, and what was sent. Deliveries are written by the projection "webhooks"
-- in the transaction that moves its offset; whichever node takes one sends it.

create table webhook (
    id             text        collate "C" primary key,
    url            text        not null,
    -- What it is about; empty means everything of its merchants.
    types          text[]      collate "C" not null,
    pool           text        collate "C",
    -- Merchants and activities whose events it may hear of; null where it is not limited.
    merchants      text[]      collate "C",
    description    text        not null,
    created_by     text        not null,
    created_at     timestamptz not null default now(),
    -- The request that made it: asked again, it is the same webhook.
    cause_id       text        not null unique,
    content_hash   text        not null,
    -- Events of later transactions are sent to it.
    since          xid8        not null default pg_current_xact_id(),
    status         text        not null default 'ENABLED',
    -- Since when no delivery has succeeded, and how often in a row; when it is called again.
    failing_since  timestamptz,
    failures       integer     not null default 0,
    retry_at       timestamptz,
    disabled_at    timestamptz,
    disabled_why   text,

    constraint webhook_status check (status in ('ENABLED', 'DISABLED')),
    constraint webhook_disabled check ((status = 'DISABLED') = (disabled_at is not null and disabled_why is not null)),
    constraint webhook_failing check (failures >= 0 and (failures = 0) = (failing_since is null)),
    constraint webhook_url check (length(url) between 8 and 2048)
);

comment on table webhook is 'Who is called about which events.';

-- Every secret that is not retired signs.
create table webhook_secret (
    webhook_id text        collate "C" not null references webhook on delete cascade,
    version    integer     not null,
    secret     bytea       not null,
    created_at timestamptz not null default now(),
    primary key (webhook_id, version),
    constraint webhook_secret_version check (version > 0),
    constraint webhook_secret_length check (length(secret) between 24 and 64)
);

comment on table webhook_secret is 'What deliveries are signed with. Readable by those who send, and by nobody else.';

create table webhook_delivery (
    id           bigint generated always as identity primary key,
    webhook_id   text        collate "C" not null references webhook on delete cascade,
    -- What the receiver tells repetitions by: the same however often it is sent.
    message_id   text        collate "C" not null,
    type         text        not null,
    -- Deliveries of one entity are sent one after the other, in the order of its journal.
    entity       text        collate "C" not null,
    xid          xid8        not null,
    ordering     bigint      not null,
    place        integer     not null,
    body         text        not null,
    created_at   timestamptz not null default now(),
    status       text        not null default 'PENDING',
    attempts     integer     not null default 0,
    next_at      timestamptz not null default now(),
    -- Since when it is to be given up after: its making, or the order to send it again.
    asked_at     timestamptz not null default now(),
    last_status  integer,
    last_error   text,
    ended_at     timestamptz,

    constraint webhook_delivery_once unique (webhook_id, message_id),
    constraint webhook_delivery_status check (status in ('PENDING', 'DELIVERED', 'GIVEN_UP')),
    constraint webhook_delivery_ended check ((status = 'PENDING') = (ended_at is null)),
    constraint webhook_delivery_attempts check (attempts >= 0)
) with (fillfactor = 70);

create index webhook_delivery_next on webhook_delivery (webhook_id, xid, ordering, place) where status = 'PENDING';
create index webhook_delivery_of_entity on webhook_delivery (webhook_id, entity, xid, ordering, place) where status = 'PENDING';
create index webhook_delivery_by_id on webhook_delivery (webhook_id, id desc);
create index webhook_delivery_ended_at on webhook_delivery (ended_at) where ended_at is not null;

comment on table webhook_delivery is 'What is sent to whom, and what became of it. Those that have ended are forgotten after webhooks.keep.';

create table webhook_attempt (
    delivery_id bigint      not null references webhook_delivery on delete cascade,
    number      integer     not null,
    at          timestamptz not null default now(),
    took_ms     integer     not null,
    status      integer,
    error       text,
    primary key (delivery_id, number),
    constraint webhook_attempt_told check ((status is null) = (error is not null))
);

comment on table webhook_attempt is 'Each time a delivery was tried: the status that came back, or why none did.';
