-- The journal, and what the engine itself projects from it.

-- Columns, types and primary key are those of pekko-persistence-jdbc 1.1.1, so its own journal and queries by persistence id work on this
-- table. Three differences:
--   * persistence_id compares byte by byte: shorter comparisons on every write, and an index that an operating system's new collation
--     rules can't invalidate.
--   * xid and slice are filled by the database, whoever writes. They are what projections read by.
--   * the plugin's unique index on ordering is left out: only its queries by tag need it, tags are not used, and every write would pay.
-- The primary key is the single writer's guard: of two writers of one entity, one fails.
create table event_journal (
    ordering           bigserial    not null,
    persistence_id     varchar(255) collate "C" not null,
    sequence_number    bigint       not null,
    deleted            boolean      not null default false,
    writer             varchar(255) not null,
    write_timestamp    bigint,
    adapter_manifest   varchar(255),
    event_ser_id       integer      not null,
    event_ser_manifest varchar(255) not null,
    event_payload      bytea        not null,
    meta_ser_id        integer,
    meta_ser_manifest  varchar(255),
    meta_payload       bytea,
    xid                xid8         not null default pg_current_xact_id(),
    slice              integer      not null generated always as (hashtext(persistence_id) & 127) stored,
    primary key (persistence_id, sequence_number)
) with (
    -- Rows are only ever added: vacuum often, so that index-only reads and freezing never have much to catch up with.
    autovacuum_vacuum_insert_scale_factor = 0.02,
    autovacuum_analyze_scale_factor = 0.05
);

-- The reader's order. Both leading columns only rise, so writes touch the right edge of the index alone; slice is last, which lets a
-- reader of some slices skip the others without visiting their rows.
create index event_journal_by_visibility on event_journal (xid, ordering, slice);

comment on table event_journal is 'Every event of every entity, in the order decided. Rows are added and read, never changed.';
comment on column event_journal.xid is 'Transaction that wrote the row. A projection reads rows whose transaction, and every older one, has ended.';
comment on column event_journal.slice is 'Share of the journal, 0 to 127, in which a projection reads this entity.';

-- A payload as JSON for people. Never fails: what can't be read is shown as such.
create function journal_json(payload bytea) returns jsonb
    language plpgsql immutable strict parallel unsafe as
$$
begin
    return convert_from(payload, 'UTF8')::jsonb;
exception when others then
    return jsonb_build_object('type', '(unreadable)', 'bytes', length(payload), 'why', sqlerrm);
end
$$;

create view journal_readable as
select j.persistence_id,
       split_part(j.persistence_id, '|', 1)                            as machine,
       substr(j.persistence_id, strpos(j.persistence_id, '|') + 1)     as entity_id,
       j.sequence_number,
       p.json ->> 'at'                                                 as at,
       p.json ->> 'type'                                               as type,
       p.json -> 'data'                                                as data,
       p.json #>> '{cause,kind}'                                       as cause_kind,
       p.json #>> '{cause,actor}'                                      as actor,
       p.json #>> '{cause,id}'                                         as cause_id,
       p.json #>> '{cause,trace}'                                      as trace,
       p.json ->> 'wake_at'                                            as wake_at,
       p.json ->> 'v'                                                  as version,
       j.writer,
       j.ordering,
       j.xid
from event_journal j,
     lateral (select journal_json(j.event_payload) as json) p;

comment on view journal_readable is 'The journal for people: one line per event, its JSON taken apart.';

-- Who still owes the outside world something, and when somebody must look at it again. The sweeper reads only this.
create table owed (
    persistence_id  varchar(255) collate "C" primary key,
    machine         text        not null,
    sequence_number bigint      not null,
    wake_at         timestamptz not null
) with (
    -- A row lives as long as a debt, often milliseconds: keep the table as small as what it holds.
    fillfactor = 80,
    autovacuum_vacuum_scale_factor = 0.05,
    autovacuum_vacuum_threshold = 1000
);
create index owed_by_wake_at on owed (wake_at, persistence_id);

comment on table owed is 'Projection "owed": entities that owe an effect or wait for a time, by the moment they are due.';

-- How far each projection has come, per share of slices: everything up to and including (xid, ordering) is handled.
create table projection_offset (
    projection        text        not null,
    slice_from        integer     not null,
    slice_to          integer     not null,
    xid               xid8        not null,
    ordering          bigint      not null,
    rebuild_requested boolean     not null default false,
    updated_at        timestamptz not null default now(),
    primary key (projection, slice_from, slice_to),
    check (0 <= slice_from and slice_from <= slice_to and slice_to <= 127)
) with (fillfactor = 50);

comment on table projection_offset is 'Moved in the transaction of the handler that did the work: both happen, or neither.';

-- Entities a projection has set aside, because one of their events could not be handled.
create table projection_parked (
    projection      text        not null,
    persistence_id  varchar(255) collate "C" not null,
    slice           integer     not null generated always as (hashtext(persistence_id) & 127) stored,
    sequence_number bigint      not null,
    reason          text        not null,
    attempts        integer     not null default 0,
    parked_at       timestamptz not null default now(),
    retry_at        timestamptz not null,
    primary key (projection, persistence_id)
);

comment on table projection_parked is 'sequence_number is the first event of the entity that the projection has not handled.';
