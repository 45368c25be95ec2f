import type { Tenant } from './tenants.ts';
import type { TestServer } from './server.ts';

/** A value of the settings of routers. */
export const SSID = 'WiFi.SSID[name=passengers].SSID';

/** The group of the tenant sets the name of a network. */
export async function withSettings(
  { organizationId, groupKey, name }: Tenant,
  { owner }: Pick<TestServer, 'owner'>,
): Promise<void> {
  await owner.query(
    `insert into router_settings (id, organization_id, group_key, version, content, created_by, created_at)
      values (gen_random_uuid(), $1, $2, 1, $3, 'matrix@x.invalid', now()) on conflict do nothing`,
    [organizationId, groupKey, JSON.stringify({ [SSID]: { value: name.slice(0, 30) } })],
  );
}
