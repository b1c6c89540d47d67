-- Indexes of reservation_view are most of what a row of it costs, and every sale pays for one.

-- A pool is walked through in the order in which its reservations began, which lists of a pool need anyway.
drop index reservation_view_of_pool;

-- Moments rise, so entries are added at the end of an ascending index, and the newest are read from there backwards. Two reservations rarely
-- begin in the same microsecond: they are put in order when they are read.
drop index reservation_view_by_time, reservation_view_by_user, reservation_view_by_status, reservation_view_by_pool;
create index reservation_view_by_time   on reservation_view (created_at);
create index reservation_view_by_user   on reservation_view (user_id, created_at) where user_id is not null;
create index reservation_view_by_status on reservation_view (status, created_at);
create index reservation_view_by_pool   on reservation_view (pool, created_at) where pool is not null;
