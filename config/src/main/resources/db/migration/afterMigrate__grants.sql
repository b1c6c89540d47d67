-- Least privilege, for installations that separate roles. Runs after every migration, so that new tables and roles made later are covered;
-- a role that does not exist is passed over. The owner of the schema runs migrations and nothing else.
--
--   create role holdfast_journal login password '...';     -- the write side: adds to the journal and reads it, changes nothing
--   create role holdfast_projection login password '...';  -- the read side: reads the journal, owns the content of all other tables but the order service's
--   create role holdfast_orders login password '...';      -- the built-in order service: decides orders, payments and final stock
--   create role holdfast_reader login password '...';      -- people and dashboards: reads
--
-- Or make them without login, and your own roles their members. No role may update or delete journal rows, nor rows of the
-- order service's ledger. Archiving is the owner's.
do
$$
declare
    t record;
    of_orders constant text[] :=
        array ['consumer_inbox', 'sku_inventory', 'orders', 'payment_record', 'order_refund', 'order_ledger',
            'order_reacquisition'];
begin
    -- Nodes that start together come here together, and PostgreSQL refuses to grant on one table twice at once.
    perform pg_advisory_xact_lock(hashtextextended('holdfast:grants', 0));
    if exists (select from pg_roles where rolname = 'holdfast_journal') then
        execute format('grant usage on schema %I to holdfast_journal', current_schema());
        revoke all on event_journal from holdfast_journal;
        grant select, insert on event_journal to holdfast_journal;
        grant usage on sequence event_journal_ordering_seq to holdfast_journal;
    end if;
    -- Partitions are made by a function of the owner's: whoever adds rows needs no right to make tables.
    if exists (select from pg_roles where rolname = 'holdfast_projection') then
        grant execute on function stock_ledger_prepare(date) to holdfast_projection;
        grant select on stock_snapshot to holdfast_projection;
    end if;
    for t in select tablename as name from pg_tables where schemaname = current_schema() and tablename not like 'flyway%'
    loop
        if exists (select from pg_roles where rolname = 'holdfast_projection') then
            execute format('grant usage on schema %I to holdfast_projection', current_schema());
            if t.name in ('event_journal', 'event_journal_archive') then
                execute format('revoke all on %I from holdfast_projection', t.name);
                execute format('grant select on %I to holdfast_projection', t.name);
            elsif t.name = any (of_orders) then
                execute format('revoke all on %I from holdfast_projection', t.name);
                execute format('grant select on %I to holdfast_projection', t.name);
            else
                execute format('grant select, insert, update, delete, truncate on %I to holdfast_projection', t.name);
            end if;
        end if;
        if t.name = any (of_orders) and exists (select from pg_roles where rolname = 'holdfast_orders') then
            execute format('grant usage on schema %I to holdfast_orders', current_schema());
            execute format('revoke all on %I from holdfast_orders', t.name);
            execute format('grant select, insert on %I to holdfast_orders', t.name);
            -- What went back, and what moved, is added and never changed.
            if t.name not in ('order_refund', 'order_ledger') then
                execute format('grant update on %I to holdfast_orders', t.name);
            end if;
            -- An order whose units have gone meanwhile goes in the transaction that wrote it.
            if t.name = 'orders' then
                grant delete on orders to holdfast_orders;
            end if;
        end if;
        if exists (select from pg_roles where rolname = 'holdfast_reader') then
            execute format('grant usage on schema %I to holdfast_reader', current_schema());
            -- Whoever knows a secret can sign.
            if t.name = 'webhook_secret' then
                execute format('revoke all on %I from holdfast_reader', t.name);
            else
                execute format('grant select on %I to holdfast_reader', t.name);
            end if;
            grant select on journal_readable, stock_snapshot to holdfast_reader;
        end if;
    end loop;
end
$$;
