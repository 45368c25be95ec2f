-- highline: compatible since 0001
-- How far an hour of readings is rolled up: the hour, and the last router that has its rollups of it. A cursor of another hour than the next one does
-- not count: a process of the version before moves rolled_until without it.
alter table telemetry_rollup add column rolling_hour timestamptz;
alter table telemetry_rollup add column after_router uuid;
