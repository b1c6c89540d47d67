-- Of a sale, the version of the secret its ids are made with: a node that has no secret of a version in use must not start.

alter table pool_view add column key_version integer;

comment on column pool_view.key_version is 'Of a pool with a gate: the version of the secret that ids of its admissions are made with. Empty for other pools.';

create index pool_view_by_key_version on pool_view (key_version) where key_version is not null and status <> 'ARCHIVED';
