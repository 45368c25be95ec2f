-- Addresses whose mail servers rejected summaries, one after another (docs/domains/summaries.md). A row goes with the first that is accepted, with
-- the last summary that names the address, or when a person resumes it.
create table summary_bounces (
  -- The organization or main account of the summaries.
  owner_id uuid not null,
  mail text collate "C" not null,
  -- In a row.
  rejections integer not null,
  last_at timestamptz not null,
  -- What the mail server said last.
  last_error text not null,
  -- Since when nothing is sent to it; null = it still gets summaries.
  paused_at timestamptz,
  primary key (owner_id, mail)
);
grant select, insert, update, delete on summary_bounces to highline_serve;
-- The organization or main account of the summary that a file is of; null = of an earlier version.
alter table mail_files add column owner_id uuid;
-- highline: compatible since 0001
