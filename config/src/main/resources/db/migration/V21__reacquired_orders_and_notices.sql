-- A payment that comes after its order was cancelled may bring the order back, where the sale's policy says so.

alter table orders
    -- The reservation that has its units since; null while it is that of the order's own id.
    add column reacquired_as text collate "C";
create unique index orders_reacquired_as on orders (reacquired_as) where reacquired_as is not null;
alter table orders add constraint orders_reacquired check (reacquired_as is null or payment_id is not null);

-- Whether an order came back, decided once per payment: whoever inserts the row decides, whoever finds it reads.
create table order_reacquisition (
    payment_id     text        collate "C" primary key,
    order_id       text        collate "C" not null,
    reservation_id text        collate "C" not null,
    result         text        not null check (result in ('TAKEN', 'OUT_OF_FINAL_STOCK', 'DUPLICATE_BUYER')),
    decided_at     timestamptz not null default clock_timestamp()
);
-- One payment brings it back, once.
create unique index order_reacquisition_once on order_reacquisition (order_id) where result = 'TAKEN';

comment on table order_reacquisition is 'Late payments of cancelled orders for which units were held anew, and whether their orders came back.';

-- What needs a person is told, each time it has come about: how often it has, and up to which of them was told.
alter table anomaly
    add column found integer not null default 1 check (found > 0),
    add column told  integer not null default 0 check (told >= 0);
create index anomaly_to_tell on anomaly (at, id) where told < found and gone_at is null;
