-- Requests for orders are read by the built-in order service, and may have to wait as other events do.
alter table parked_event drop constraint parked_event_channel;
alter table parked_event add constraint parked_event_channel check (channel in ('ORDERS', 'SCHEDULE', 'ORDER_REQUESTS'));
