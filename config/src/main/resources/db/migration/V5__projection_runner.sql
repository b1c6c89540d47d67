-- What people order of projections, and a division of their work that several nodes can share.

-- One row per projection, written when a node first runs it.
create table projection (
    name            text        primary key,
    delivery        text        not null check (delivery in ('EXACTLY_ONCE', 'AT_LEAST_ONCE')),
    -- Whether it takes events again that it has handled: only then can it be set back without being rebuilt.
    takes_again     boolean     not null,
    paused          boolean     not null default false,
    changed_at      timestamptz not null default now()
);

comment on table projection is 'Every projection a node has ever run, and whether it is paused.';

-- No node may move an offset between the copy and the removal.
lock table projection_offset in access exclusive mode;

-- Eight shares of sixteen slices, so that up to eight nodes can work on one projection. Until now there was one share of all slices.
insert into projection_offset (projection, slice_from, slice_to, xid, ordering, rebuild_requested, rebuilds)
select o.projection, 16 * share, 16 * share + 15, o.xid, o.ordering, o.rebuild_requested, o.rebuilds
from projection_offset o, generate_series(0, 7) share
where o.slice_from = 0 and o.slice_to = 127;

delete from projection_offset where slice_from = 0 and slice_to = 127;

alter table projection_offset
    add constraint projection_offset_share check (slice_from % 16 = 0 and slice_to = slice_from + 15),
    -- Where the share is to be set back to, as soon as the node that holds it sees this. Empty: nowhere.
    add column rewind_xid xid8,
    add column rewind_ordering bigint,
    add constraint projection_offset_rewind check (num_nulls(rewind_xid, rewind_ordering) in (0, 2));

comment on column projection_offset.rewind_xid is 'With rewind_ordering: an order to go back there and read on from it.';

-- Events a person has told a projection to leave out, should it still not be able to handle them.
create table projection_skipped (
    projection      text        not null,
    persistence_id  varchar(255) collate "C" not null,
    sequence_number bigint      not null,
    slice           integer     not null generated always as (hashtext(persistence_id) & 127) stored,
    reason          text        not null,
    skipped_by      text        not null,
    skipped_at      timestamptz not null default now(),
    -- Empty while the projection shows the entity as if nothing had been left out: it has not come to the event, or could handle it.
    left_out_at     timestamptz,
    primary key (projection, persistence_id, sequence_number)
);

comment on table projection_skipped is 'Permission to leave an event out. left_out_at is set when it was used; a rebuild empties it again.';

-- Who ordered what. Rows are added, never changed.
create table projection_order (
    id              bigint      generated always as identity primary key,
    projection      text        not null,
    action          text        not null,
    detail          text        not null,
    ordered_by      text        not null,
    reason          text        not null,
    ordered_at      timestamptz not null default now()
);

comment on table projection_order is 'Every order given to a projection: by whom and why.';
