-- highline: compatible since 0001
-- The group of a device when its router was read: in another one other values count. Null = unknown.

alter table router_settings_states add column group_key text collate "C";
