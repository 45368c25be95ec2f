import { entryName, fitsSetting, settingProfiles, type Setting, type SettingsCatalogue } from '@highline/contract';
import { z } from 'zod';
import { DomainError, isId, required, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import { createRemoteCalls, type RemoteCallsDeps, type RemoteCallTimeouts } from '../../platform/node-rpc/index.ts';
import { isUnreachable, type DeviceLink } from '../../platform/ports/index.ts';
import { locateParameter, pathsToFind, type Reported } from './locate.ts';
import { findDesiredOf, findShownDevice } from './settings.queries.ts';
import { catalogueOfDevice, type DesiredRow } from './settings.rows.ts';

export interface RunningReaderDeps extends RemoteCallsDeps {
  readonly deviceLink: DeviceLink;
}

/** Reads what routers run, whichever process they are connected to. */
export interface RunningReader {
  /** @throws DomainError `not_found` for the device, `command.offline`, `command.no_answer` */
  read(scope: OrganizationScope, actor: Actor, device: string): Promise<settingProfiles.SettingsProfile>;
}

const RESPONSE_MS = 20_000;
const timeouts: RemoteCallTimeouts = { claimMs: 3_000, responseMs: 25_000 };

const order = z.object({ deviceId: z.string(), routerId: z.string() });
type Order = z.infer<typeof order>;

/** Create the reader; nothing happens before the first call. */
export function createRunningReader(deps: RunningReaderDeps): RunningReader {
  const { database, deviceLink } = deps;

  const find = async (scope: OrganizationScope, deviceId: string): Promise<DesiredRow> => {
    const rows = isId(deviceId) ? await findDesiredOf(database.read, scope, { groupKey: null, deviceId }, { limit: 1 }) : [];
    return required(rows[0], 'not_found', { field: 'device' });
  };

  const readHere = async (scope: OrganizationScope, { deviceId, routerId }: Order): Promise<settingProfiles.SettingsProfile> => {
    const row = await find(scope, deviceId);
    if (row.routerId !== routerId) throw new DomainError('not_found', { field: 'device' });
    const catalogue = catalogueOfDevice(row);
    try {
      const reported = await deviceLink.readValues(routerId, pathsOfCatalogue(catalogue), RESPONSE_MS);
      const values = runningValues(catalogue, reported);
      return { format: settingProfiles.PROFILE_FORMAT, version: 1, name: row.serial, values };
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      throw new DomainError(error.key === 'router.not_connected' ? 'command.offline' : 'command.no_answer');
    }
  };

  const remoteCalls = createRemoteCalls<Order>(deps, {
    name: 'running-settings',
    shape: order,
    timeouts,
    silent: 'command.no_answer',
    findNode: async ({ scope, payload }) => (await findShownDevice(database.read, scope, payload.deviceId))?.heldBy ?? undefined,
    isHere: ({ routerId }) => deviceLink.isConnected(routerId),
    execute: ({ scope, payload }) => readHere(scope, payload),
    async complete() {
      // A reading is no change of anything.
    },
  });

  return {
    async read(scope, actor, device) {
      const { deviceId, routerId } = await find(scope, device);
      const payload = { deviceId, routerId };
      if (deviceLink.isConnected(routerId)) return readHere(scope, payload);
      return remoteCalls.request<settingProfiles.SettingsProfile>({ scope, actor, payload }, 'command.offline');
    },
  };
}

/** The parameters to read, those of all entries of lists included. */
function pathsOfCatalogue({ settings }: SettingsCatalogue): string[] {
  return [...new Set(settings.flatMap(({ path }) => pathsToFind(path)))];
}

/** What of it fits its parameter; secrets read as nothing, and are named. */
export function runningValues(catalogue: SettingsCatalogue, reported: Reported): settingProfiles.SettingsProfile['values'] {
  const plain = catalogue.settings.filter(({ path }) => !path.includes('[name=*]'));
  const entries = catalogue.lists.flatMap((list) =>
    entriesOfList(list, reported).flatMap((entry) => catalogue.ofEntry(list, entry)),
  );
  return [
    ...plain.flatMap((setting) => valueOf(setting, reported, false)),
    ...entries.flatMap((setting) => valueOf(setting, reported, true)),
  ];
}

/** Entries of a list that have names a user could have given. */
function entriesOfList(list: string, reported: Reported): readonly string[] {
  const alias = `Device.${list.replaceAll(/\[[^[\]]*\]/gu, '')}Alias`;
  const names = [...reported].flatMap(([path, value]) =>
    path.endsWith('.Alias') && path.replaceAll(/\.\d+(?=\.)/gu, '') === alias && entryName.test(value) ? [value] : [],
  );
  return [...new Set(names)].slice(0, settingProfiles.MOST_RUNNING_ENTRIES);
}

function valueOf(setting: Setting, reported: Reported, isEntry: boolean): settingProfiles.SettingsProfile['values'] {
  const { path } = setting;
  const { object, parameter } = locateParameter(reported, path, isEntry);
  const value = object === undefined ? undefined : reported.get(object + parameter);
  if (value === undefined) return [];
  if (setting.isSecret === true) return [{ path, value: null }];
  // Text of a router could be read as a variable of ours.
  return fitsSetting(setting, value) && !value.includes('{{') ? [{ path, value }] : [];
}
