import { entryName, fitsSetting, settingProfiles, type Setting, type SettingsCatalogue } from '@highline/contract';
import type { Actor, OrganizationScope } from '../../kernel/index.ts';
import { locateParameter, pathsToFind, type Reported } from './locate.ts';
import { createRouterReading, readDesired, type RouterReadingDeps } from './router-reading.ts';
import { catalogueOfDevice } from './settings.rows.ts';

/** Reads what routers run, whichever process they are connected to. */
export interface RunningReader {
  /** @throws DomainError `not_found` for the device, `command.offline`, `command.no_answer` */
  read(scope: OrganizationScope, actor: Actor, device: string): Promise<settingProfiles.SettingsProfile>;
}

const RESPONSE_MS = 20_000;

/** Create the reader; nothing happens before the first call. */
export function createRunningReader(deps: RouterReadingDeps): RunningReader {
  const readRunning = createRouterReading(deps, {
    name: 'running-settings',
    async execute(row): Promise<settingProfiles.SettingsProfile> {
      const catalogue = catalogueOfDevice(row);
      const reported = await deps.deviceLink.readValues(row.routerId, pathsOfCatalogue(catalogue), RESPONSE_MS);
      const values = runningValues(catalogue, reported);
      return { format: settingProfiles.PROFILE_FORMAT, version: 1, name: row.serial, values };
    },
  });
  return { read: async (scope, actor, device) => readRunning(scope, actor, await readDesired(deps, scope, device)) };
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
