-- The name of a process for people, in log lines and messages: HIGHLINE_NODE_NAME or that of its machine. Null = its version knows none.
alter table nodes add column host text;
