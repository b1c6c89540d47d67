-- Reconciliation: runs that compare Redis with the journals, what they found, and what is proved of each pool.

create table reconciliation_run (
    id            text        collate "C" primary key,
    -- Runs in the order in which they were asked for.
    number        bigint      generated always as identity unique,
    -- Which pools: one, all whose id begins so, or all.
    scope         text        not null check (scope in ('POOL', 'PREFIX', 'ALL')),
    target        text        collate "C" not null default '',
    mode          text        not null check (mode in ('DRY_RUN', 'REPAIR')),
    full_pass     boolean     not null,
    requested_by  text        not null,
    -- Whether the schedule asked, not somebody.
    scheduled     boolean     not null default false,
    status        text        not null default 'QUEUED' check (status in ('QUEUED', 'RUNNING', 'COMPLETED', 'FAILED')),
    failure       text,
    requested_at  timestamptz not null default now(),
    started_at    timestamptz,
    finished_at   timestamptz,
    watermark     timestamptz,
    -- Every pool up to this one is done: where a node that takes the run up goes on.
    after_pool    text        collate "C" not null default '',
    taken_up      integer     not null default 0,
    pools         bigint      not null default 0,
    unchanged     bigint      not null default 0,
    skipped       bigint      not null default 0,
    compared      bigint      not null default 0,
    postponed     bigint      not null default 0,
    findings      bigint      not null default 0,
    repaired      bigint      not null default 0,

    constraint reconciliation_run_target check ((scope = 'ALL') = (target = '')),
    constraint reconciliation_run_failure check ((status = 'FAILED') = (failure is not null)),
    constraint reconciliation_run_finished check ((status in ('COMPLETED', 'FAILED')) = (finished_at is not null))
);
create index reconciliation_run_open on reconciliation_run (number) where status in ('QUEUED', 'RUNNING');

comment on table reconciliation_run is 'Every reconciliation that was asked for, and how far it is.';

create table reconciliation_finding (
    id              bigint      generated always as identity primary key,
    run             text        collate "C" not null references reconciliation_run (id) on delete cascade,
    pool            text        collate "C" not null,
    -- Reservation id; the pool's where it is about the pool.
    object          text        collate "C" not null,
    type            text        not null,
    class           text        not null check (class in ('REPAIR', 'WAIT', 'MANUAL')),
    -- Both sides as they were read.
    journal         text        not null,
    redis           text        not null,
    sequence_number bigint      not null,
    epoch           bigint      not null,
    redis_version   bigint      not null,
    position        bigint      not null,
    state           text        not null default 'OPEN' check (state in ('OPEN', 'REPAIRED', 'GONE')),
    found_at        timestamptz not null default now(),
    -- When the first of the runs found it that found it without a break.
    first_seen_at   timestamptz not null default now(),
    settled_at      timestamptz,
    repair_id       text,
    outcome         text,

    constraint reconciliation_finding_once unique (run, pool, object, type),
    constraint reconciliation_finding_settled check ((state = 'OPEN') = (settled_at is null))
);
create index reconciliation_finding_of_run on reconciliation_finding (run, id);
create index reconciliation_finding_open on reconciliation_finding (pool, object, type) where state = 'OPEN';

comment on table reconciliation_finding is 'What a run found, with the evidence, and what became of it.';

-- One row per pool that was ever compared.
create table reconciliation_pool (
    pool           text        collate "C" primary key,
    last_run       text        collate "C" not null,
    completed_at   timestamptz not null,
    -- Whether the latest comparison found nothing; empty where the pool could not be compared.
    consistent     boolean,
    -- By how much Redis is off: units it offers that are not there, units there that it does not offer, units promised beyond the total
    -- that it does not state as a deficit.
    oversellable   bigint      not null default 0,
    undersold      bigint      not null default 0,
    oversold       bigint      not null default 0,
    -- What is proved, for the next run: reservations up to the watermark agreed, and so did these numbers. Empty: nothing is.
    watermark      timestamptz,
    full_at        timestamptz,
    epoch          bigint,
    redis_version  bigint,
    total          bigint,
    deficit        bigint,
    available      bigint,
    reserved       bigint,
    sold           bigint,
    -- Operation by which a repair has paused the pool; whoever goes on resumes it first.
    paused_by      text,

    constraint reconciliation_pool_proof check (num_nulls(watermark, full_at) in (0, 2)),
    constraint reconciliation_pool_books check (
        num_nulls(epoch, redis_version, total, deficit, available, reserved, sold) in (0, 7))
);
create index reconciliation_pool_paused on reconciliation_pool (pool) where paused_by is not null;

comment on table reconciliation_pool is 'What reconciliation knows of each pool: the latest outcome, and what is proved.';

-- Runs go through the pools that may differ; archived ones only ever become more.
create index pool_view_kept_in_redis on pool_view (pool) where status not in ('NEW', 'ARCHIVED');
