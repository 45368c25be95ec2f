-- RPT-03: a group is tagged like an organization; what is tagged BD is cut into windows of an hour.
alter table groups add column tags text[] not null default '{}';
