-- Commands of routers that wait, are on their way, or ended (docs/domains/commands.md).

create table sent_commands (
  -- Also the key with which the router gets it: sent again, it names the same run.
  id uuid primary key,
  organization_id uuid not null references organizations,
  main_account_id uuid not null,
  device_id uuid not null,
  -- The router that the device had when it was sent: another one does not get it.
  router_id uuid not null,
  serial text collate "C" not null,
  kind text collate "C" not null,
  argument text not null default '',
  -- Of a custom command, as it was called then.
  name text not null default '',
  -- Who sent it, as it was then.
  actor jsonb not null,
  job_id uuid,
  state text collate "C" not null default 'waiting'
    check (state in ('waiting', 'sent', 'running', 'done', 'failed', 'expired', 'cancelled')),
  reason text collate "C",
  -- The router's own message.
  message text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- When its engine looks at it again without an event.
  due_at timestamptz,
  sent_at timestamptz,
  sends smallint not null default 0,
  ended_at timestamptz,
  check ((ended_at is null) = (state in ('waiting', 'sent', 'running'))),
  check ((due_at is null) = (ended_at is not null))
);
create index sent_commands_open on sent_commands (router_id, id) where ended_at is null;
create index sent_commands_due on sent_commands (due_at) where ended_at is null;
create index sent_commands_by_organization on sent_commands (organization_id, id);
create index sent_commands_of_organization_open on sent_commands (organization_id, id) where ended_at is null;
create index sent_commands_by_device on sent_commands (device_id, id);
create index sent_commands_by_job on sent_commands (job_id, id) where job_id is not null;
create index sent_commands_ended on sent_commands (ended_at) where ended_at is not null;

grant select, insert, update, delete on sent_commands to highline_serve;
