-- highline: concurrently
-- Filters of the device lists that the overview links to (docs/decisions/0047-needs-attention.md).

create index concurrently if not exists devices_offline_since on devices (organization_id, presence_since, id)
  where archived_at is null and presence = 'offline';
create index concurrently if not exists devices_of_main_offline_since on devices (main_account_id, presence_since, id)
  where archived_at is null and presence = 'offline';
create index concurrently if not exists router_contacts_weak on router_contacts (router_id) where is_weak;
create index concurrently if not exists esim_profiles_failed on esim_profiles (main_account_id, organization_id, device_id)
  where status in ('Fail to download', 'Fail to activate', 'Out of memory');
