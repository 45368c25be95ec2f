import { z } from 'zod';
import { DomainError, isId, required, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import { createRemoteCalls, type RemoteCallsDeps } from '../../platform/node-rpc/index.ts';
import { unreachableAs, type DeviceLink } from '../../platform/ports/index.ts';
import { findDesiredOf, findShownDevice } from './settings.queries.ts';
import type { DesiredRow } from './settings.rows.ts';

export interface RouterReadingDeps extends RemoteCallsDeps {
  readonly deviceLink: DeviceLink;
}

const order = z.object({ deviceId: z.string(), routerId: z.string() });
type Order = z.infer<typeof order>;

/** The desired settings of a device. @throws DomainError `not_found` */
export async function readDesired(
  { database }: Pick<RouterReadingDeps, 'database'>,
  scope: OrganizationScope,
  deviceId: string,
): Promise<DesiredRow> {
  const rows = isId(deviceId) ? await findDesiredOf(database.read, scope, { groupKey: null, deviceId }, { limit: 1 }) : [];
  return required(rows[0], 'not_found', { field: 'device' });
}

/**
 * Read something from the router of a device, whichever process it is connected to.
 * @returns a function that throws DomainError `not_found` for the device, `command.offline`, `command.no_answer`
 */
export function createRouterReading<Result>(
  deps: RouterReadingDeps,
  { name, execute }: { readonly name: 'running-settings' | 'settings'; readonly execute: (row: DesiredRow) => Promise<Result> },
): (scope: OrganizationScope, actor: Actor, row: DesiredRow) => Promise<Result> {
  const { database, deviceLink } = deps;

  const readHere = async (scope: OrganizationScope, { deviceId, routerId }: Order): Promise<Result> => {
    const row = await readDesired(deps, scope, deviceId);
    if (row.routerId !== routerId) throw new DomainError('not_found', { field: 'device' });
    try {
      return await execute(row);
    } catch (error) {
      throw unreachableAs('command', error);
    }
  };

  const remoteCalls = createRemoteCalls<Order>(deps, {
    name,
    shape: order,
    timeouts: { claimMs: 3_000, responseMs: 25_000 },
    silent: 'command.no_answer',
    findNode: async ({ scope, payload }) => (await findShownDevice(database.read, scope, payload.deviceId))?.heldBy ?? undefined,
    isHere: ({ routerId }) => deviceLink.isConnected(routerId),
    execute: ({ scope, payload }) => readHere(scope, payload),
  });

  return (scope, actor, { deviceId, routerId }) => {
    const payload = { deviceId, routerId };
    if (deviceLink.isConnected(routerId)) return readHere(scope, payload);
    return remoteCalls.request<Result>({ scope, actor, payload }, 'command.offline');
  };
}
