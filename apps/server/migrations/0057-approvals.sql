-- Acts that wait for a second person (docs/domains/approvals.md, IAM-07).

-- What waits; without a row nothing does.
create table approval_policies (
  -- The organization, or the main account for its own acts.
  company_id uuid primary key,
  main_account_id uuid not null references main_accounts,
  organization_id uuid references organizations,
  -- Rollouts to more routers than this; null = none.
  rollouts_above integer check (rollouts_above >= 0),
  factory_reset boolean not null,
  settings boolean not null,
  deletion boolean not null,
  changed_by_email text collate "C" not null,
  updated_at timestamptz not null,
  version integer not null default 1
);

-- Deleted 90 days after they ended, and with their organization.
create table approvals (
  id uuid primary key,
  -- Whose people decide: the organization, or the main account.
  company_id uuid not null,
  main_account_id uuid not null references main_accounts,
  -- The organization that it is done in; null = the main account itself.
  organization_id uuid references organizations,
  rule text collate "C" not null check (rule in ('rollouts', 'factoryReset', 'settings', 'deletion', 'policy')),
  -- The checked call, which is made on approval.
  operation text collate "C" not null,
  call jsonb not null,
  -- In whose name it is done.
  author jsonb not null,
  requested_by uuid not null,
  requested_by_email text collate "C" not null,
  -- What it would do, as sentences and as a digest.
  acts jsonb not null,
  routers integer not null,
  names text[] not null,
  digest text collate "C" not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  state text collate "C" not null default 'waiting'
    check (state in ('waiting', 'approved', 'rejected', 'expired', 'withdrawn')),
  decided_at timestamptz,
  decided_by_email text collate "C",
  reason text not null default '',
  check ((state = 'waiting') = (decided_at is null))
);
create index approvals_of_company on approvals (company_id, id);
create index approvals_by_state on approvals (company_id, state, id);
create index approvals_by_expiry on approvals (expires_at) where decided_at is null;
create index approvals_ended on approvals (decided_at) where decided_at is not null;
create index approvals_of_organization on approvals (organization_id) where organization_id is not null;

-- Whom an entry names besides its actor: who approved it, or let the actor in.
alter table audit_entries add column actor_with jsonb;

grant select, insert, update, delete on approval_policies, approvals to highline_serve;
