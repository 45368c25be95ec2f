-- Plans of an organization for its SIMs: cycle, allowance, cost, and what happens at chosen shares (docs/decisions/0058-usage.md).
create table usage_plans (
  organization_id uuid not null,
  id uuid not null,
  name text collate "C" not null,
  -- Day of month on which the cycle begins, at 00:00 UTC.
  cycle_day integer not null check (cycle_day between 1 and 28),
  -- Bytes of a SIM in a cycle; in a pool, what each SIM brings to it.
  allowance bigint not null check (allowance > 0),
  is_pool boolean not null,
  -- For each GB (10^9 bytes); null = not known.
  cost_per_gb numeric(12, 4) check (cost_per_gb >= 0),
  -- ISO 4217.
  currency text collate "C" not null default '',
  -- SIMs that no plan was chosen for: none of them, those of a carrier, or all.
  applies_to text collate "C" not null check (applies_to in ('chosen', 'carrier', 'all')),
  carrier text collate "C" not null default '',
  -- Percent of the allowance at which a mail is sent.
  shares integer[] not null check (array_length(shares, 1) between 1 and 6),
  -- At 100 percent, for each SIM once in a cycle.
  action text collate "C" not null check (action in ('mail', 'command', 'profile')),
  command_id uuid,
  -- Who saved it: commands and switches are done in the name of this account.
  actor jsonb not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id)
);
create unique index usage_plans_by_name on usage_plans (organization_id, name);

-- The plan that a person chose for a SIM; it comes before those for a carrier and for all.
alter table usage_sims add column chosen_plan_id uuid;

-- Organizations whose SIMs have to be matched with their plans again, after a change of plans or a new SIM.
create table usage_matching (
  organization_id uuid primary key,
  requested_at timestamptz not null default now()
);

-- Which share was reached in which cycle, by a SIM or by a pool ('' as ICCID): each is reported once.
create table usage_plan_events (
  organization_id uuid not null,
  plan_id uuid not null,
  cycle_from date not null,
  iccid text collate "C" not null,
  -- Percent; 0 = the action at the cap.
  share integer not null,
  happened_at timestamptz not null,
  -- Of an action: 'started', or why it could not be.
  outcome text collate "C" not null default '',
  primary key (organization_id, plan_id, cycle_from, iccid, share)
);
create index usage_plan_events_by_cycle on usage_plan_events using brin (cycle_from);

grant select, insert, update, delete on usage_plans, usage_matching, usage_plan_events to highline_serve;
