-- The view is written once or more for every reservation: what it costs, every sale pays.

-- Text is stored as it is given; jsonb was taken apart on every write and put together on every read, and took a third more room. It can
-- still be asked: state::json ->> 'type'.
alter table reservation_view alter column state type text using state::text;

-- An order has few reservations: they are sorted when they are asked for.
drop index reservation_view_by_order;
create index reservation_view_by_order on reservation_view (order_id) where order_id is not null;
