-- highline: compatible since 0001
-- Recordings of terminals in the browser (docs/domains/recordings.md).

-- Organizations without a row record nothing.
create table recording_settings (
  organization_id uuid primary key,
  is_recorded boolean not null,
  -- How long recordings are kept.
  days integer not null check (days between 1 and 3650)
);

create table recordings (
  organization_id uuid not null,
  -- Of the remote session.
  id uuid not null,
  device_id uuid not null,
  serial text not null,
  account_id uuid not null,
  account_email text not null,
  began_at timestamptz not null,
  -- Null while it goes on.
  ended_at timestamptz,
  -- The contract's `recordingEnds`.
  end_reason text collate "C",
  chunks integer not null default 0,
  -- Of the file.
  bytes bigint not null default 0,
  -- SHA-256 over the hash before and the last chunk; the first one covers the id instead. The log entry of the end has it too.
  hash bytea not null,
  primary key (organization_id, id),
  check ((ended_at is null) = (end_reason is null))
);
create index recordings_by_time on recordings (organization_id, began_at, id);
create index recordings_of_device on recordings (organization_id, device_id, began_at, id);
create index recordings_by_age on recordings (began_at);
create index recordings_open on recordings (began_at) where ended_at is null;

-- Whole lines of the asciicast file, compressed (gzip): those of any number of chunks from the first one on are a file too.
create table recording_chunks (
  organization_id uuid not null,
  recording_id uuid not null,
  seq integer not null,
  contents bytea not null,
  primary key (organization_id, recording_id, seq),
  foreign key (organization_id, recording_id) references recordings on delete cascade
);
alter table recording_chunks alter column contents set storage external;

grant select, insert, update, delete on recording_settings, recordings, recording_chunks to highline_serve;
