-- What became of the numbers of every pool: each change of them, how they stand, and what contradicts itself. Kept by the projection
-- "reservation_view", in the transaction that keeps its table.

-- A row for each change of a pool's numbers. Rows are added, never changed.
--
-- Every epoch of a pool is a book of its own: its first row (INIT, in later epochs REBUILD) opens it with the whole numbers, so the sum of
-- an epoch's deltas is what the pool has.
--
-- Partitioned by the business day of the pool, a month each. The day follows from the pool, so a pool lies in one partition whole: what is
-- unique there is unique, and a month that is archived takes its pools along and no part of another.
create table stock_ledger (
    pool            text        collate "C" not null,
    -- Business day of the pool; infinity where it has none.
    day             date        not null,
    -- Of the pool, after the change.
    epoch           bigint      not null,
    version         bigint      not null,
    operation_id    text        collate "C" not null,
    action          text        not null,
    -- Empty where the pool itself was changed.
    reservation_id  text        collate "C",
    order_id        text        collate "C",
    -- Units the operation was about.
    quantity        bigint      not null,
    total_delta     bigint      not null,
    deficit_delta   bigint      not null,
    available_delta bigint      not null,
    reserved_delta  bigint      not null,
    sold_delta      bigint      not null,
    total           bigint      not null,
    deficit         bigint      not null,
    available       bigint      not null,
    reserved        bigint      not null,
    sold            bigint      not null,
    -- The request or message that led to it, where one is known.
    cause_id        text,
    at              timestamptz not null,
    -- The event that tells of it: of the reservation, or else of the pool, and where it is in the journal.
    sequence_number bigint      not null,
    xid             bigint      not null,
    ordering        bigint      not null,

    constraint stock_ledger_pkey primary key (pool, epoch, version, day),
    constraint stock_ledger_action check (action in ('INIT', 'TRY', 'CONFIRM', 'CANCEL', 'REFUND', 'ADJUST', 'REBUILD', 'REPAIR')),
    constraint stock_ledger_deltas check (total_delta + deficit_delta = available_delta + reserved_delta + sold_delta)
) partition by range (day);

-- Of a reservation each operation happens once because its row in reservation_view, written together with these, says so: a second index
-- of random ids would cost every sale. A pool has no such row.
create unique index stock_ledger_operation on stock_ledger (pool, operation_id, day) where reservation_id is null;

comment on table stock_ledger is 'Every change of every pool''s numbers. Look for a pool with its day beside it: only then one partition is read.';

-- Pools without a day. They can't be archived by their age.
create table stock_ledger_undated partition of stock_ledger for values from ('infinity') to (maxvalue);

-- Makes the partition of a day's month unless it is there; says whether it did. For whoever writes rows, who need not own the table. Rows
-- are read and written meanwhile.
create function stock_ledger_prepare(wanted date) returns boolean
    language plpgsql security definer set search_path from current as
$$
declare
    month constant date := date_trunc('month', wanted)::date;
    name  constant text := 'stock_ledger_' || to_char(month, 'YYYY_MM');
begin
    if not isfinite(wanted) or stock_ledger_has(name) then
        return false;
    end if;
    -- One at a time, and those who come second find it there.
    lock table only stock_ledger in share update exclusive mode;
    if stock_ledger_has(name) then
        return false;
    end if;
    if to_regclass(name) is not null then
        raise exception '% was detached and still has the name of the partition that is needed now: rename or drop it', name
            using errcode = 'object_not_in_prerequisite_state';
    end if;
    execute format('create table %I (like stock_ledger including all)', name);
    execute format('alter table stock_ledger attach partition %I for values from (%L) to (%L)', name, month, (month + interval '1 month')::date);
    return true;
end
$$;

create function stock_ledger_has(partition text) returns boolean
    language sql stable set search_path from current as
$$
    select exists (select from pg_inherits i join pg_class c on c.oid = i.inhrelid
                   where i.inhparent = 'stock_ledger'::regclass and c.relname = partition)
$$;

-- Takes a month out of the ledger, as a table of its own that nothing writes to any more; gives its name. For the owner alone.
create function stock_ledger_detach(archived date) returns text
    language plpgsql set search_path from current as
$$
declare
    partition constant text := 'stock_ledger_' || to_char(archived, 'YYYY_MM');
    name      constant text := 'archived_' || partition || '_' || to_char(clock_timestamp(), 'YYYYMMDDHH24MISS');
begin
    execute format('alter table stock_ledger detach partition %I', partition);
    execute format('alter table %I rename to %I', partition, name);
    return name;
end
$$;

revoke execute on function stock_ledger_prepare(date), stock_ledger_detach(date) from public;

-- The total of each pool by the pool's own journal, up to which of its events: what is needed to tell by how much the next one changes it.
create table stock_book (
    pool            text   collate "C" primary key,
    day             date   not null,
    total           bigint not null,
    sequence_number bigint not null
);

create index stock_book_by_day on stock_book (day, pool);

-- How each pool stands: after the change with the greatest epoch and version, which is the last entry of its primary key. "complete": the
-- ledger has every version of that epoch, from the one that opened it on.
create view stock_snapshot as
select b.pool, b.day, l.epoch, l.version, l.total, l.deficit, l.available, l.reserved, l.sold, l.at as changed_at,
       (select count(*) = l.version - min(e.version) + 1 from stock_ledger e
        where e.pool = b.pool and e.day = b.day and e.epoch = l.epoch)
       and (select f.action in ('INIT', 'REBUILD') from stock_ledger f
            where f.pool = b.pool and f.day = b.day and f.epoch = l.epoch order by f.version limit 1) as complete
from stock_book b
cross join lateral (
    select * from stock_ledger l where l.pool = b.pool and l.day = b.day order by l.epoch desc, l.version desc limit 1) l;

comment on view stock_snapshot is 'Every pool that was created and whose month is still in the ledger.';

-- What contradicts itself, with both sides. Whoever finds it writes it down and goes on.
create table anomaly (
    -- Follows from what it is about: the same, found again, is the same row.
    id              text        collate "C" primary key,
    source          text        not null,
    type            text        not null,
    pool            text        collate "C",
    reservation_id  text        collate "C",
    summary         text        not null,
    evidence        jsonb       not null,
    at              timestamptz not null,
    slice           integer     not null generated always as
        (hashtext(coalesce('reservation|' || reservation_id, 'stock-pool|' || pool, '')) & 127) stored
);

create index anomaly_by_time on anomaly (at desc, id desc);
create index anomaly_by_pool on anomaly (pool, at desc, id desc) where pool is not null;

comment on table anomaly is 'What can''t be: two changes that claim one version, and the like. Each with its evidence.';

-- Whether the ledger has what a reservation did. The version it should have is (epoch, redis_version), that which it has is
-- (synced_epoch, synced_version).
alter table reservation_view
    -- The latest request or message that led to an event of it.
    add column cause_id       text,
    add column synced_epoch   bigint,
    add column synced_version bigint,
    -- NONE: no operation has ended yet. SYNCED: the ledger has the latest. DEAD: it has not and will not: the change contradicts another
    -- one, or an event was left out.
    add column sync_status    text not null default 'NONE',
    add constraint reservation_view_sync_status check (sync_status in ('NONE', 'SYNCED', 'DEAD')),
    add constraint reservation_view_synced check ((synced_epoch is null) = (synced_version is null));

create index reservation_view_not_synced on reservation_view (updated_at) where sync_status = 'DEAD';

-- What was projected before has no ledger: everything is read again.
update projection_offset set rebuild_requested = true where projection = 'reservation_view';

-- Where journals of reservations go that nobody needs any more. The same columns, nothing derived.
create table event_journal_archive (like event_journal);

comment on table event_journal_archive is 'Journals taken out of event_journal by journal_archive(): copy them elsewhere and empty it.';

-- Moves the journals of reservations whose pool is archived and whose business day lies before this one, pool by pool, whole journals only,
-- and only what every projection has handled; gives the number of rows. What was projected of them stays until a projection is rebuilt.
-- Pools keep their own journals, a few rows each: without them a pool that has ended could begin again. For the owner alone.
create function journal_archive(before date, most_pools integer) returns bigint
    language plpgsql set search_path from current as
$$
declare
    handled constant xid8 := (select min(xid) from projection_offset);
    moved   bigint;
begin
    with ended as materialized (
        select v.pool from pool_view v
        where v.day < before and v.status = 'ARCHIVED' and not v.suspect
          and exists (select from reservation_view r join event_journal j on j.persistence_id = 'reservation|' || r.reservation_id
                      where r.pool = v.pool)
          and not exists (select from reservation_view r where r.pool = v.pool
                          and r.status not in ('CONFIRMED', 'CANCELED', 'REFUNDED', 'REJECTED'))
        order by v.day, v.pool limit most_pools),
    resting as materialized (
        select 'reservation|' || r.reservation_id as id, r.sequence_number
        from ended e join reservation_view r on r.pool = e.pool),
    whole as materialized (
        select i.id from resting i
        where i.sequence_number = (select max(j.sequence_number) from event_journal j where j.persistence_id = i.id)
          and not exists (select from event_journal j where j.persistence_id = i.id and j.xid >= handled)),
    gone as (
        delete from event_journal j using whole w where j.persistence_id = w.id returning j.*)
    insert into event_journal_archive select * from gone;
    get diagnostics moved = row_count;
    return moved;
end
$$;

revoke execute on function journal_archive(date, integer) from public;
