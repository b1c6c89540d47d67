-- What merchants set out to sell by day, and the calendars by which their days are told. Written by the API; pools are created from it.

-- The zone is the merchant's, not the dish's: a reservation, a pool and the end of a day must all mean the same day.
create table merchant_zone (
    merchant text collate "C" primary key,
    zone     text not null,
    -- Nodes keep all zones in memory and ask for those that may have changed since they last asked.
    changed  xid8 not null default pg_current_xact_id()
);
create index merchant_zone_by_change on merchant_zone (changed);

comment on table merchant_zone is 'Time zone of each merchant that has a baseline; a zone in the settings of the nodes comes before it.';

create table dish_baseline (
    merchant   text        collate "C" not null references merchant_zone,
    dish       text        collate "C" not null,
    -- Counts the changes, a withdrawal included: the row stays, or a version would come twice.
    version    bigint      not null check (version > 0),
    updated_at timestamptz not null,
    updated_by text        not null,
    primary key (merchant, dish)
);

comment on table dish_baseline is 'A dish that has, or had, totals by day; without a total it is withdrawn.';

create table dish_baseline_total (
    merchant text   collate "C" not null,
    dish     text   collate "C" not null,
    -- EVERY_DAY, a day of the week, or a date; the most particular counts.
    applies  text   collate "C" not null,
    total    bigint not null check (total between 0 and 9007199254740991),
    primary key (merchant, dish, applies),
    foreign key (merchant, dish) references dish_baseline,
    constraint dish_baseline_total_applies check (applies ~
        '^(EVERY_DAY|MONDAY|TUESDAY|WEDNESDAY|THURSDAY|FRIDAY|SATURDAY|SUNDAY|[0-9]{4}-[0-9]{2}-[0-9]{2})$')
);

comment on table dish_baseline_total is 'Units set out for the days it applies to.';
