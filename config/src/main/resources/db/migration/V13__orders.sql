-- The built-in order service: what the transactions of orders decide. The journals of orders record what was decided here, never before.
--
-- Every transaction takes its locks in the same order: the inbox, the order, the payment, the stock. So none waits for another in a circle.

-- Final stock of a sale: what can truly be sold, whatever was admitted. A row is changed by the sale's own total and by orders, and every
-- change of it is a row of order_ledger with the next version.
create table sku_inventory (
    activity        text        collate "C" not null,
    sku             text        collate "C" not null,
    -- What the sale has in all: on offer, taken by orders that are not paid, and sold.
    initial_stock   bigint      not null check (initial_stock between 0 and 9007199254740991),
    available_stock bigint      not null check (available_stock >= 0),
    occupied_stock  bigint      not null check (occupied_stock >= 0),
    sold_stock      bigint      not null check (sold_stock >= 0),
    -- Counts the changes, from 0 for a row that nothing happened to yet.
    version         bigint      not null check (version >= 0),
    updated_at      timestamptz not null default clock_timestamp(),

    primary key (activity, sku),
    constraint sku_inventory_conserved check (initial_stock = available_stock + occupied_stock + sold_stock)
)
-- One hot row, changed by every order: room for its versions on its page.
with (fillfactor = 50);

comment on table sku_inventory is 'Final stock of each item of a sale. No order without units from here.';

-- Each message that asked for a decision, and what was decided: whoever inserts the row decides, whoever finds it reads. It outlives
-- everything that may ask again.
create table consumer_inbox (
    consumer_group text        collate "C" not null,
    message_id     text        collate "C" not null,
    -- What was decided about, and by which side: the request itself, or its deadline.
    reservation_id text        collate "C" not null,
    decided_by     text        not null check (decided_by in ('REQUEST', 'DEADLINE')),
    -- SHA-256 of what the message says: the same id with another hash is another message, and decides nothing.
    payload_hash   bytea       not null check (octet_length(payload_hash) = 32),
    result         text        not null,
    processed_at   timestamptz not null default clock_timestamp(),

    primary key (consumer_group, message_id),
    constraint consumer_inbox_result check (
        result in ('CREATED', 'OUT_OF_FINAL_STOCK', 'DUPLICATE_BUYER', 'BUSINESS_DEADLINE_EXCEEDED')),
    -- A deadline never makes an order, and a request is never rejected for a deadline.
    constraint consumer_inbox_decision check ((decided_by = 'DEADLINE') = (result = 'BUSINESS_DEADLINE_EXCEEDED'))
);
create index consumer_inbox_of_reservation on consumer_inbox (reservation_id);

comment on table consumer_inbox is 'Messages that were decided, once each, in the transaction that did what was decided.';

create table orders (
    -- The reservation it was made of, so there is one of each.
    order_id          text        collate "C" primary key,
    message_id        text        collate "C" not null unique,
    request_id        text        collate "C" not null,
    activity          text        collate "C" not null,
    sku               text        collate "C" not null,
    user_id           text        collate "C" not null,
    quantity          bigint      not null check (quantity between 1 and 9007199254740991),
    status            text        not null,
    -- What paid it.
    payment_id        text        collate "C",
    refunded_quantity bigint      not null default 0,
    reserved_at       timestamptz not null,
    business_deadline timestamptz not null,
    created_at        timestamptz not null,
    pay_by            timestamptz not null,
    paid_at           timestamptz,
    cancelled_at      timestamptz,
    refunded_at       timestamptz,
    version           bigint      not null default 1,
    updated_at        timestamptz not null default clock_timestamp(),

    constraint orders_of_sale foreign key (activity, sku) references sku_inventory,
    -- That somebody begins to pay, or asks for a refund, decides nothing yet and is in the journal alone.
    constraint orders_status check (status in ('CREATED', 'CANCEL_PENDING', 'CANCELLED', 'PAID', 'REFUNDED')),
    constraint orders_times check (pay_by > created_at and business_deadline > reserved_at),
    constraint orders_paid check (
        (status in ('PAID', 'REFUNDED')) = (payment_id is not null) and (payment_id is null) = (paid_at is null)),
    constraint orders_cancelled check ((status = 'CANCELLED') = (cancelled_at is not null)),
    constraint orders_refunded check (
        refunded_quantity between 0 and quantity
        and (refunded_quantity = 0 or payment_id is not null)
        and (status = 'REFUNDED') = (refunded_quantity = quantity)
        and (refunded_quantity = 0) = (refunded_at is null))
)
with (fillfactor = 80);

-- A buyer has one live order of an item; one that was cancelled or went back entirely makes room for the next.
create unique index orders_one_live on orders (activity, sku, user_id) where status in ('CREATED', 'CANCEL_PENDING', 'PAID');
-- The scan that finds unpaid orders whose time is over.
create index orders_to_be_paid on orders (pay_by) where status in ('CREATED', 'CANCEL_PENDING');

comment on table orders is 'Orders of the built-in order service, as the transactions decided. An order that was rejected is in consumer_inbox alone.';

create table payment_record (
    -- Ours: once per payment, whatever order it is for.
    payment_id           text        collate "C" primary key,
    provider             text        collate "C" not null,
    provider_transaction text        collate "C" not null,
    -- What the provider named; there may be no such order.
    order_id             text        collate "C" not null,
    amount               bigint      not null check (amount between 1 and 9007199254740991),
    currency             text        collate "C" not null check (currency ~ '^[A-Z]{3}$'),
    paid_at              timestamptz not null,
    -- SETTLED: it pays the order. SURPLUS: it pays nothing and is to go back. RETURNED: it went back.
    status               text        not null check (status in ('SETTLED', 'SURPLUS', 'RETURNED')),
    surplus_reason       text        check (surplus_reason in ('ORDER_REJECTED', 'ORDER_CANCELLED', 'PAID_BEFORE', 'NO_ORDER')),
    -- The provider's name for the giving back of a surplus, or what a person named.
    return_reference     text,
    refunded_amount      bigint      not null default 0,
    recorded_at          timestamptz not null default clock_timestamp(),
    returned_at          timestamptz,

    constraint payment_record_transaction unique (provider, provider_transaction),
    constraint payment_record_surplus check ((status = 'SETTLED') = (surplus_reason is null)),
    constraint payment_record_returned check (
        (status = 'RETURNED') = (return_reference is not null) and (return_reference is null) = (returned_at is null)),
    constraint payment_record_refunded check (
        refunded_amount between 0 and amount and (refunded_amount = 0 or status = 'SETTLED'))
);
-- An order is paid once.
create unique index payment_record_settles_once on payment_record (order_id) where status = 'SETTLED';
create index payment_record_of_order on payment_record (order_id);

comment on table payment_record is 'Every payment that succeeded at its provider, and what it is: each settles an order or goes back.';

create table order_refund (
    order_id    text        collate "C" not null references orders,
    refund_id   text        collate "C" not null,
    payment_id  text        collate "C" not null references payment_record,
    quantity    bigint      not null check (quantity > 0),
    amount      bigint      not null check (amount > 0),
    restock     boolean     not null,
    reference   text        not null,
    recorded_at timestamptz not null default clock_timestamp(),

    primary key (order_id, refund_id)
);

comment on table order_refund is 'Units and money of paid orders that went back, once per refund.';

-- A row for each change of sku_inventory; rows are added, never changed. The sum of an item's changes is what the item has.
create table order_ledger (
    activity        text        collate "C" not null,
    sku             text        collate "C" not null,
    -- Of the item, after the change: from 1 on, without a gap.
    version         bigint      not null check (version > 0),
    -- What did it: once per item.
    operation_id    text        collate "C" not null,
    action          text        not null check (action in ('SET_TOTAL', 'OCCUPY', 'SELL', 'RELEASE', 'RETURN')),
    -- Empty where the sale itself was changed.
    order_id        text        collate "C",
    initial_delta   bigint      not null,
    available_delta bigint      not null,
    occupied_delta  bigint      not null,
    sold_delta      bigint      not null,
    initial_stock   bigint      not null,
    available_stock bigint      not null,
    occupied_stock  bigint      not null,
    sold_stock      bigint      not null,
    at              timestamptz not null default clock_timestamp(),

    primary key (activity, sku, version),
    constraint order_ledger_once unique (activity, sku, operation_id),
    constraint order_ledger_order check ((order_id is null) = (action = 'SET_TOTAL')),
    constraint order_ledger_deltas check (initial_delta = available_delta + occupied_delta + sold_delta),
    constraint order_ledger_conserved check (initial_stock = available_stock + occupied_stock + sold_stock)
);
create index order_ledger_of_order on order_ledger (order_id) where order_id is not null;

comment on table order_ledger is 'Every change of final stock, and what it led to.';
