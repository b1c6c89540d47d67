-- Events of other systems that were understood and could not be delivered: nobody is known whom they concern, or who is can't be told.
-- They are tried again by themselves, ever less often. What can't even be understood goes to the dead-letter topic instead.
create table parked_event (
    id         bigint generated always as identity primary key,
    -- What the topic carries, and where the event was read.
    channel    text        not null,
    topic      text        not null,
    partition  integer     not null,
    position   bigint      not null,
    -- The event as it came.
    headers    jsonb       not null,
    data       bytea       not null,
    -- Source and id, the type, and the order (or reservation) it is about.
    cause_id   text        not null,
    type       text        not null,
    key        text        not null,
    reason     text        not null,
    attempts   integer     not null default 0,
    parked_at  timestamptz not null default now(),
    retry_at   timestamptz not null,
    -- When it ceased to wait, and how.
    settled_at timestamptz,
    outcome    text,

    -- A topic that was deleted and made anew counts from 0 again: only together with the event's identity is its place unique.
    constraint parked_event_once unique (topic, partition, position, cause_id),
    constraint parked_event_channel check (channel in ('ORDERS', 'SCHEDULE')),
    constraint parked_event_settled check ((settled_at is null) = (outcome is null))
);

create index parked_event_waiting on parked_event (retry_at, id) where settled_at is null;
create index parked_event_open on parked_event (id) where settled_at is null;

comment on table parked_event is 'Events of other systems that wait until somebody is known whom they concern.';
