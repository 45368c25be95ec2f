import type { routerSettings } from '@highline/contract';
import { DomainError, required, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import { checkRouter, type RouterCheckDeps } from './router-check.ts';
import { createRouterReading, readDesired, type RouterReadingDeps } from './router-reading.ts';
import { toDeviceDto } from './settings.dto.ts';
import { findShownDevice, findVisits } from './settings.queries.ts';

export interface SettingsReaderDeps extends RouterReadingDeps, Omit<RouterCheckDeps, 'deviceLink'> {}

/** Settings of devices, compared with their routers while someone looks. */
export interface SettingsReader {
  /** @throws DomainError `not_found` for the device */
  read(scope: OrganizationScope, actor: Actor, device: string): Promise<routerSettings.DeviceSettings>;
}

/** However many look, a router is read once in this time. */
const FRESH_MS = 10_000;

/** Create the reader; nothing happens before the first call. */
export function createSettingsReader(deps: SettingsReaderDeps): SettingsReader {
  const { database, clock } = deps;
  const check = createRouterReading(deps, {
    name: 'settings',
    async execute(row) {
      await checkRouter(deps, row);
      return null;
    },
  });

  return {
    async read(scope, actor, device) {
      const row = await readDesired(deps, scope, device);
      const shown = required(await findShownDevice(database.read, scope, device), 'not_found', { field: 'device' });
      const visits = await findVisits(database.read, scope, device);
      const isSet = row.report !== null || (row.levels ?? []).length > 0;
      const isFresh = row.checkedAt !== null && clock.now().getTime() - row.checkedAt.getTime() < FRESH_MS;
      if (!shown.isOnline || !isSet || isFresh) return toDeviceDto(row, shown, visits);
      await check(scope, actor, row).catch(withoutAnswer);
      return toDeviceDto(await readDesired(deps, scope, device), shown, visits);
    },
  };
}

/** What the router last reported is shown instead. Any other failure is not the router's. */
function withoutAnswer(error: unknown): void {
  if (!(error instanceof DomainError) || !['command.offline', 'command.no_answer', 'server.busy'].includes(error.key))
    throw error;
}
