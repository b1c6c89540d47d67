-- Projection "compensation_view": every compensation that has a journal of its own, as that adds up.

create table compensation_view (
    key             text        collate "C" primary key,
    reservation_id  text        collate "C" not null,
    pool            text        collate "C" not null,
    status          text        not null,
    created_at      timestamptz not null,
    updated_at      timestamptz not null,
    sequence_number bigint      not null check (sequence_number > 0),
    state           text        not null,
    slice           integer     not null generated always as (hashtext('compensation|' || key) & 127) stored,

    constraint compensation_view_status check (
        status in ('APPLYING', 'APPLIED', 'VERIFIED', 'MANUAL', 'RESOLVED', 'WITHDRAWN'))
);
create index compensation_view_by_status on compensation_view (status, key);
create index compensation_view_of_reservation on compensation_view (reservation_id);
create index compensation_view_of_pool on compensation_view (pool, key);

comment on table compensation_view is 'Projection "compensation_view": compensations with journals of their own, as of sequence_number.';

-- What was found between systems says what may be done about it, and goes when it is no longer so.
alter table anomaly
    add column class   text check (class in ('REPAIR', 'WAIT', 'MANUAL')),
    add column seen_at timestamptz,
    add column gone_at timestamptz;
create index anomaly_open on anomaly (source, id) where seen_at is not null and gone_at is null;

-- Corrections between systems, once each: the id is made of rule, object, the version that was looked at, and what it is to become.
create table repair (
    repair_id        text        collate "C" primary key check (repair_id ~ '^[0-9a-f]{64}$'),
    rule             text        not null,
    object_type      text        not null,
    object_id        text        collate "C" not null,
    expected_version text        not null,
    target           text        not null,
    anomaly_id       text        collate "C" not null,
    -- The ordinary command that was given, and what became of it.
    command          text        not null,
    outcome          text        not null,
    attempts         integer     not null default 1 check (attempts > 0),
    asked_by         text        not null,
    at               timestamptz not null default clock_timestamp(),
    settled_at       timestamptz
);
create index repair_of_anomaly on repair (anomaly_id);
create index repair_by_time on repair (at desc, repair_id desc);

comment on table repair is 'Corrections between systems. Each was an ordinary command to a machine, under this id.';
