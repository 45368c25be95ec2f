-- How many routers are connected to a process, as of its last renewal: those with many more than the others send some to them. Null = its
-- version does not say it.
alter table nodes add column routers integer;
