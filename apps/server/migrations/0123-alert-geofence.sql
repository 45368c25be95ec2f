-- The geofence that an alert is about, as it was called when it fired (docs/decisions/0068-channels-of-alert-rules.md).
alter table alerts add column geofence text;
