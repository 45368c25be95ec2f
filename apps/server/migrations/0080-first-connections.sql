-- When a router connected for the first time: before it, no one knows whether it had a connection. Null: it has not connected yet, or did before
-- this column existed.
alter table routers add column first_online_at timestamptz;
