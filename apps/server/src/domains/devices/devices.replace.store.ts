import { sql } from 'kysely';
import type { OrganizationScope, Scope } from '../../kernel/scope.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { mirroredColumns, mirroredValues } from '../router-state/index.ts';
import { devicesOf } from './device.filters.ts';
import type { Located } from './devices.moved.ts';
import type { Row } from '../../platform/ports/tables.ts';

/** A device whose router is about to be replaced. */
export interface ReplaceableDevice
  extends Located, Row<'devices', 'router_id' | 'serial' | 'mac' | 'model' | 'presence' | 'vehicle_number' | 'tags' | 'version'> {
  /** ISO days. */
  readonly started_on: string | null;
  readonly expires_on: string | null;
  readonly group_name: string;
}

/** A living device of the scope. @param lock until the transaction ends */
export async function findReplaceable(tx: Tx, scope: Scope, id: string, lock: boolean): Promise<ReplaceableDevice | undefined> {
  const { rows } = await sql<ReplaceableDevice>`
    select d.id, d.organization_id, d.group_key, d.router_id, d.serial, d.mac, d.model, d.presence, d.vehicle_number, d.tags,
      d.started_on::text as started_on, d.expires_on::text as expires_on, d.version,
      (select g.name from groups g where g.organization_id = d.organization_id and g.key = d.group_key) as group_name
    from devices d where d.id = ${id}::uuid and ${devicesOf(scope)} ${lock ? sql`for no key update` : sql``}`.execute(tx);
  return rows[0];
}

/** Model and connection of a router of the main account, as its last report says. */
export async function describeRouter(
  tx: Tx,
  { mainAccountId }: Scope,
  routerId: string,
): Promise<{ readonly model: string; readonly presence: string; readonly hasEuicc: boolean | null }> {
  const { rows } = await sql<Row<'routers', 'presence'> & { model: string; hasEuicc: boolean | null }>`
    select coalesce(r.reported ->> 'model', r.model) as model, r.presence,
      case when coalesce(r.reported -> 'esim', 'null'::jsonb) <> 'null'::jsonb then true
        when r.reported ? 'esim' or r.reported ->> 'esim_support' = 'false' then false end as "hasEuicc"
    from routers r where r.id = ${routerId}::uuid and r.main_account_id = ${mainAccountId}::uuid`.execute(tx);
  return rows[0]!;
}

/** Give a locked device another router, with what that router reported before. Everything else of the device stays. */
export async function setRouter(tx: Tx, owner: OrganizationScope, id: string, routerId: string, now: Date): Promise<void> {
  await sql`update devices d set (router_id, serial, mac, ${mirroredColumns}) = (
      select r.id, r.serial, r.mac, ${mirroredValues} from routers r
      where r.id = ${routerId}::uuid and r.main_account_id = ${owner.mainAccountId}::uuid),
      version = d.version + 1, updated_at = ${now}::timestamptz
    where d.id = ${id}::uuid and ${devicesOf(owner)}`.execute(tx);
}
