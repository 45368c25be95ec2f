-- Rules of a company for the sign-in of its people, and how each session began (docs/domains/accounts.md).

create table sign_in_policies (
  -- The organization, or the main account for its own people.
  company_id uuid primary key,
  main_account_id uuid not null references main_accounts,
  organization_id uuid references organizations,
  -- Passwords alone are not enough.
  needs_factor boolean not null,
  idle_minutes integer not null check (idle_minutes between 5 and 720),
  lifetime_hours integer not null check (lifetime_hours between 1 and 168),
  -- Networks in which people may be signed in; none = everywhere.
  ranges cidr[] not null,
  -- E-mail addresses of admins whom the networks do not concern.
  excepted text[] not null,
  changed_by_email text collate "C" not null,
  updated_at timestamptz not null,
  version integer not null default 1
);

-- Null: begun by a program before this version.
alter table sessions add column method text collate "C" check (method in ('password', 'code', 'passkey', 'provider'));

grant select, insert, update, delete on sign_in_policies to highline_serve;
-- highline: compatible since 0001
