-- What an organization's pictures have together is summed up out of an index when one is added (OLD-02).
create index device_properties_pictures on device_properties (organization_id, picture_size) where picture_size is not null;

-- Full Control of a group ends when its user becomes an admin, who has it anyway (OLD-01); of those who became one before, now.
delete from group_controls c using accounts a
  where a.id = c.account_id and ('r.' || c.organization_id || '.super') = any (a.roles);
