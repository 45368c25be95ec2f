-- What changed of all that processes keep in memory to compare readings with alert rules (docs/decisions/0071-cost-of-alert-rules.md). Written by
-- triggers, whatever program makes the change; each process reads on from the snapshot of its last look. Kept for an hour.
create table alert_changes (
  xid xid8 not null default pg_current_xact_id(),
  id bigint generated always as identity,
  -- The rules of this organization changed.
  organization_id uuid,
  -- Where these routers are changed, or which conditions hold on them.
  router_ids uuid[] not null default '{}',
  at timestamptz not null default clock_timestamp(),
  primary key (xid, id)
);
create index alert_changes_by_age on alert_changes (at);
grant select, insert, delete on alert_changes to highline_serve;

create function note_alert_rules() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  insert into alert_changes (organization_id) values (coalesce(new.organization_id, old.organization_id));
  return null;
end $$;
create trigger alert_rules_changed after insert or update or delete on alert_rule_versions
  for each row execute function note_alert_rules();

create function note_places_of_devices() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  insert into alert_changes (router_ids) select array_agg(router_id) from changed having count(*) > 0;
  return null;
end $$;
create trigger added_devices_to_alerts after insert on devices referencing new table as changed
  for each statement execute function note_places_of_devices();
create trigger removed_devices_to_alerts after delete on devices referencing old table as changed
  for each statement execute function note_places_of_devices();

create function note_place_of_device() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  insert into alert_changes (router_ids) values (array[old.router_id, new.router_id]);
  return null;
end $$;
-- Only where the place changed: connections and readings do not.
create trigger devices_to_alerts after update of group_key, tags, organization_id, archived_at, router_id on devices for each row
  when ((old.group_key, old.tags, old.organization_id, old.archived_at, old.router_id)
    is distinct from (new.group_key, new.tags, new.organization_id, new.archived_at, new.router_id))
  execute function note_place_of_device();

create function note_begun_states() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  insert into alert_changes (router_ids) select array_agg(router_id) from added where kind = 'reading' having count(*) > 0;
  return null;
end $$;
create trigger begun_states_to_alerts after insert on alert_states referencing new table as added
  for each statement execute function note_begun_states();

-- Not when a condition only fires, is postponed, or is taken away after it has ended.
create function note_changed_states() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  insert into alert_changes (router_ids) select array_agg(a.router_id)
    from removed r join added a using (organization_id, rule_id, device_id)
    where a.kind = 'reading' and (a.cleared_at is null) <> (r.cleared_at is null) having count(*) > 0;
  return null;
end $$;
create trigger changed_states_to_alerts after update on alert_states referencing old table as removed new table as added
  for each statement execute function note_changed_states();

create function note_removed_states() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  insert into alert_changes (router_ids) select array_agg(router_id) from removed
    where kind = 'reading' and cleared_at is null having count(*) > 0;
  return null;
end $$;
create trigger removed_states_to_alerts after delete on alert_states referencing old table as removed
  for each statement execute function note_removed_states();
