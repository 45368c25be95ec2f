import { sql } from 'kysely';
import { announce } from '../../platform/outbox/announce.ts';
import type { Database, Tx, DeviceLink } from '../../platform/ports/index.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';
import { deleteProfiles } from '../esims/index.ts';
import { lockRoutersInOrder, releaseRouters } from '../inventory/index.ts';
import { devicesOf } from './device.filters.ts';
import { archiveDevices } from './devices.store.ts';
import type { Row } from '../../platform/ports/tables.ts';

/** Devices per transaction, so that other transactions on routers and organizations wait only briefly. */
const BATCH = 5_000;

/**
 * Take every device from a deleted organization: archive it and return its router to stock. Runs in its own transactions, one
 * after another; after an interruption the next call continues. The caller has audited and announced the deletion.
 * @yields how many were taken by each
 */
export async function* withdrawDevices(
  database: Database,
  deviceLink: Pick<DeviceLink, 'disconnect'>,
  scope: OrganizationScope,
  now: Date,
): AsyncGenerator<number> {
  for (;;) {
    const routers = await database.write((tx) => withdrawSome(tx, scope, now));
    if (routers === undefined) return;
    deviceLink.disconnect(routers, 'The organization was deleted.');
    yield routers.length;
  }
}

/** @returns ids of the routers that were returned to stock, or undefined when no device was left */
async function withdrawSome(tx: Tx, scope: OrganizationScope, now: Date): Promise<string[] | undefined> {
  const { rows } = await sql<Row<'devices', 'id' | 'router_id'>>`
    select d.id, d.router_id from devices d where ${devicesOf(scope)} order by d.serial limit ${BATCH}`.execute(tx);
  if (rows.length === 0) return undefined;
  await lockRoutersInOrder(
    tx,
    scope,
    rows.map(({ router_id }) => router_id),
  );
  const archived = await archiveDevices(
    tx,
    scope,
    rows.map(({ id }) => id),
    now,
  );
  await deleteProfiles(
    tx,
    scope,
    archived.map(({ id }) => id),
  );
  const routers = archived.map(({ router_id }) => router_id);
  await releaseRouters(tx, scope, routers, now);
  await announce(tx, scope, 'devices', []);
  await announce(tx, { kind: 'main', mainAccountId: scope.mainAccountId }, 'inventory', []);
  return routers;
}
