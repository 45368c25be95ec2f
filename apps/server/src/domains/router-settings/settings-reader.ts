import type { routerSettings } from '@highline/contract';
import { z } from 'zod';
import { DomainError, isId, required, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import { createRemoteCalls, type RemoteCallsDeps, type RemoteCallTimeouts } from '../../platform/node-rpc/index.ts';
import { isUnreachable, type DeviceLink } from '../../platform/ports/index.ts';
import { checkRouter, type RouterCheckDeps } from './router-check.ts';
import { toDeviceDto } from './settings.dto.ts';
import { findDesiredOf, findShownDevice, findVisits } from './settings.queries.ts';
import type { DesiredRow } from './settings.rows.ts';

export interface SettingsReaderDeps extends RemoteCallsDeps, Omit<RouterCheckDeps, 'deviceLink'> {
  readonly deviceLink: DeviceLink;
}

/** Settings of devices, compared with their routers while someone looks. */
export interface SettingsReader {
  /** @throws DomainError `not_found` for the device */
  read(scope: OrganizationScope, actor: Actor, device: string): Promise<routerSettings.DeviceSettings>;
}

/** However many look, a router is read once in this time. */
const FRESH_MS = 10_000;
const timeouts: RemoteCallTimeouts = { claimMs: 3_000, responseMs: 25_000 };

const order = z.object({ deviceId: z.string(), routerId: z.string() });
type Order = z.infer<typeof order>;

/** Create the reader; nothing happens before the first call. */
export function createSettingsReader(deps: SettingsReaderDeps): SettingsReader {
  const { database, clock, deviceLink } = deps;

  const find = async (scope: OrganizationScope, deviceId: string) => {
    const [row] = await findDesiredOf(database.read, scope, { groupKey: null, deviceId }, { limit: 1 });
    return row;
  };

  const checkNow = async (scope: OrganizationScope, { deviceId, routerId }: Order): Promise<null> => {
    const row = required(await find(scope, deviceId), 'not_found', { field: 'device' });
    if (row.routerId !== routerId) throw new DomainError('not_found', { field: 'device' });
    try {
      await checkRouter(deps, row);
      return null;
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      throw new DomainError(error.key === 'router.not_connected' ? 'command.offline' : 'command.no_answer');
    }
  };

  const remoteCalls = createRemoteCalls<Order>(deps, {
    name: 'settings',
    shape: order,
    timeouts,
    silent: 'command.no_answer',
    findNode: async ({ scope, payload }) => (await findShownDevice(database.read, scope, payload.deviceId))?.heldBy ?? undefined,
    isHere: ({ routerId }) => deviceLink.isConnected(routerId),
    execute: ({ scope, payload }) => checkNow(scope, payload),
    async complete() {
      // A reading is no change of anything.
    },
  });

  const request = async (scope: OrganizationScope, actor: Actor, { deviceId, routerId }: DesiredRow): Promise<void> => {
    const payload = { deviceId, routerId };
    if (deviceLink.isConnected(routerId)) await checkNow(scope, payload);
    else await remoteCalls.request({ scope, actor, payload }, 'command.offline');
  };

  return {
    async read(scope, actor, device) {
      const target = isId(device) ? await find(scope, device) : undefined;
      const row = required(target, 'not_found', { field: 'device' });
      const shown = required(await findShownDevice(database.read, scope, device), 'not_found', { field: 'device' });
      const visits = await findVisits(database.read, scope, device);
      const isSet = row.report !== null || (row.levels ?? []).length > 0;
      const isFresh = row.checkedAt !== null && clock.now().getTime() - row.checkedAt.getTime() < FRESH_MS;
      if (!shown.isOnline || !isSet || isFresh) return toDeviceDto(row, shown, visits);
      await request(scope, actor, row).catch(withoutAnswer);
      return toDeviceDto(required(await find(scope, device), 'not_found', { field: 'device' }), shown, visits);
    },
  };
}

/** What the router last reported is shown instead. Any other failure is not the router's. */
function withoutAnswer(error: unknown): void {
  if (!(error instanceof DomainError) || !['command.offline', 'command.no_answer', 'server.busy'].includes(error.key))
    throw error;
}
