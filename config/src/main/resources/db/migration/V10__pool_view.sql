-- Projection "pool_view": every pool as its journal adds up, for whoever must find pools: those of a day that is over, those in deficit.

create table pool_view (
    pool             text        collate "C" primary key,
    merchant         text        collate "C" not null,
    dish             text        collate "C" not null,
    -- The business day; empty for a sale.
    day              date,
    -- The state, or the one it goes back to while Redis is not believed, or loaded anew.
    status           text        not null,
    suspect          boolean     not null,
    total            bigint,
    deficit          bigint,
    baseline_version bigint,
    created_at       timestamptz not null,
    updated_at       timestamptz not null,
    sequence_number  bigint      not null,
    slice            integer     not null generated always as (hashtext('stock-pool|' || pool) & 127) stored,

    constraint pool_view_status check (status in ('NEW', 'INITIALIZING', 'OPEN', 'PAUSED', 'CLOSED', 'ARCHIVED'))
);

-- Pools of days that are over are looked for again and again, and all but a few are archived.
create index pool_view_by_day on pool_view (day, pool) where day is not null and status <> 'ARCHIVED';

create index pool_view_in_deficit on pool_view (pool) where deficit > 0 and status <> 'ARCHIVED';

comment on table pool_view is 'Projection "pool_view": one row per pool, as of sequence_number. Numbers are those after the latest operation of the pool itself.';
