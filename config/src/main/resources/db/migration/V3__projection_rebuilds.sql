-- Whoever rests a decision on what a projection shows must be able to tell that it was begun anew meanwhile.
alter table projection_offset add column rebuilds bigint not null default 0;

comment on column projection_offset.rebuilds is 'How often the projection has forgotten everything and begun at the first event again.';
