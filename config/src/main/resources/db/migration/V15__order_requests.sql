-- Of a hold that came in by a gate: whether its order has still to be asked for. A gate lets fewer in, then nobody, while too many wait.

alter table reservation_view add column owes_order_request boolean not null default false;

comment on column reservation_view.owes_order_request is 'Whether the order service has still to be asked for the order of this hold, which came in by a gate.';

-- Those that do are few and soon do no more.
create index reservation_view_owing_order_requests on reservation_view (created_at) where owes_order_request;
