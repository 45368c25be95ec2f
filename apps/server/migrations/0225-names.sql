-- Names are compared without case, with composed letters and one kind of blank (docs/decisions/0103-names-and-their-order.md).

-- The same as `nameKey` of the contract.
create function name_key(name text) returns text language sql immutable strict parallel safe as $$
  select lower(regexp_replace(btrim(regexp_replace(normalize(name, nfc), '[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]', ' ', 'g')),
    ' {2,}', ' ', 'g') collate "und-x-icu") collate "C"
$$;

-- The order of names in lists, the same as `compareNames` of the contract: numbers by value, without case, umlauts behind their letter. It is
-- deterministic: names that differ in case only are ordered by their bytes.
create collation natural_order (provider = icu, locale = 'de-AT-u-co-phonebk-kn-true-ks-level2');

-- Of names that were made before and are now the same, the oldest is in the unique index; the others are marked, keep their names and stay
-- out of it until they get another one.
create function clear_duplicate_name() returns trigger language plpgsql as $$
begin
  new.is_duplicate_name := false;
  return new;
end $$;

alter table groups add column is_duplicate_name boolean not null default false;
create trigger groups_renamed before update of name on groups for each row when (old.name is distinct from new.name)
  execute function clear_duplicate_name();
alter table custom_commands add column is_duplicate_name boolean not null default false;
create trigger custom_commands_renamed before update of name on custom_commands for each row when (old.name is distinct from new.name)
  execute function clear_duplicate_name();
alter table custom_properties add column is_duplicate_name boolean not null default false;
create trigger custom_properties_renamed before update of name on custom_properties for each row when (old.name is distinct from new.name)
  execute function clear_duplicate_name();
alter table alert_rules add column is_duplicate_name boolean not null default false;
create trigger alert_rules_renamed before update of name on alert_rules for each row when (old.name is distinct from new.name)
  execute function clear_duplicate_name();
alter table usage_plans add column is_duplicate_name boolean not null default false;
create trigger usage_plans_renamed before update of name on usage_plans for each row when (old.name is distinct from new.name)
  execute function clear_duplicate_name();
alter table geofences add column is_duplicate_name boolean not null default false;
create trigger geofences_renamed before update of name on geofences for each row when (old.name is distinct from new.name)
  execute function clear_duplicate_name();
alter table saved_views add column is_duplicate_name boolean not null default false;
create trigger saved_views_renamed before update of name on saved_views for each row when (old.name is distinct from new.name)
  execute function clear_duplicate_name();
alter table routers add column is_duplicate_serial boolean not null default false;
