-- Who is told of what by mail (NTF-01, NTF-02), and mails that an organization can see when they could not be delivered.
create table notification_subscriptions (
  organization_id uuid not null references organizations,
  mail text collate "C" not null,
  events text[] not null,
  -- Keys of the groups it is about; null for every group, also those to come.
  group_keys text[],
  -- As known when it was saved; the account's own language is the next guess.
  language text collate "C" check (language in ('en-US', 'zh-TW')),
  zone text collate "C",
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, mail)
);

-- What happened, each once: a second telling of the same meets its key.
create table notification_events (
  organization_id uuid not null references organizations,
  id uuid not null,
  event text collate "C" not null,
  key text collate "C" not null,
  -- The group it concerns; null for what concerns the whole organization.
  group_key text collate "C",
  detail jsonb not null default '{}',
  -- Happened so often, at last then: what flaps within one minute is one row.
  times integer not null default 1,
  happened_at timestamptz not null,
  created_at timestamptz not null default now(),
  -- When mails were written for it; null while that is to be done.
  told_at timestamptz,
  primary key (organization_id, id)
);
create unique index notification_events_by_key on notification_events (organization_id, key);
create index notification_events_untold on notification_events (organization_id, event, id) where told_at is null;
create index notification_events_by_age on notification_events (created_at);

-- Which mail told whom of what: nobody is told of the same twice.
create table notification_deliveries (
  organization_id uuid not null,
  event_id uuid not null,
  mail text collate "C" not null,
  mail_id uuid not null,
  primary key (organization_id, event_id, mail),
  foreign key (organization_id, event_id) references notification_events on delete cascade
);

-- After a mail about one kind of event, what follows of that kind is collected until then.
create table notification_pauses (
  organization_id uuid not null references organizations,
  event text collate "C" not null,
  until timestamptz not null,
  seconds integer not null,
  primary key (organization_id, event)
);

-- What a router last told of itself that people are told about: an alarm's state, or when its password was changed.
create table router_alarms (
  router_id uuid not null references routers on delete cascade,
  alarm text collate "C" not null,
  device_id uuid not null,
  state text not null,
  changed_at timestamptz not null,
  primary key (router_id, alarm)
);

alter table mails add column organization_id uuid references organizations;
alter table mails add column kind text collate "C" not null default 'account';
-- Refused for good, or tried until there was no hope.
create index mails_undelivered on mails (organization_id, id)
  where organization_id is not null and next_attempt_at is null and sent_at is null;
create index mails_waiting on mails (organization_id, recipient)
  where organization_id is not null and sent_at is null;

-- The language that a person was invited in.
alter table accounts add column language text collate "C" check (language in ('en-US', 'zh-TW'));

grant select, insert, update, delete on
  notification_subscriptions, notification_events, notification_deliveries, notification_pauses, router_alarms to highline_serve;
