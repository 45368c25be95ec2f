-- Check values of the master keys that a process knows, and of the one it seals with; null = its version cannot tell. `highline key rotate` waits
-- for them (docs/decisions/0046-rotation-while-running.md).
alter table nodes add column known_keys text[], add column sealing_key text;
