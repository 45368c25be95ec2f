-- Keys that all processes of an installation share, sealed with the master key. Only the owner reads them, at the start; the serving
-- role has no right to this table.
create table installation_keys (
  purpose text collate "C" primary key,
  -- Public name of the key: SHA-256 of its public half (audit: hex of SPKI; ssh-host: as ssh-keygen -l prints it).
  key_id text collate "C" not null,
  sealed bytea not null,
  created_at timestamptz not null default now()
);
