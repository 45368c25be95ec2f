import type { routerSettings, Setting, SettingsCatalogue } from '@highline/contract';
import { worstState } from './compare.ts';
import type { EffectiveSetting, LevelContent, StoredValue } from './effective-setting.ts';
import type { AppliedRow, LevelTarget, RemoteVisit, SavedLevel, SettingsListRow, ShownDevice } from './settings.queries.ts';
import { levelsOf, settingsOf, type DesiredRow, type LevelRow } from './settings.rows.ts';
import { resolveSettings } from './resolve.ts';

/** A stored value as it is shown: never a secret, nor a text that was stored before its parameter became one. */
function shownValue(setting: Pick<Setting, 'isSecret'> | undefined, stored: StoredValue): string | null {
  return 'value' in stored && setting?.isSecret !== true ? stored.value : null;
}

/** The values of a level as they are shown. @param catalogue of the organization */
export function toShownValues(catalogue: SettingsCatalogue, content: LevelContent): routerSettings.LevelSettings['values'] {
  return Object.entries(content).map(([path, stored]) => ({ path, value: shownValue(catalogue.find(path), stored) }));
}

const NO_VARIABLES: ReadonlyMap<string, string> = new Map();

/** A level as the console shows it. */
export function toLevelDto(
  { level, name }: LevelTarget,
  {
    saved,
    inherited,
    catalogue,
  }: {
    readonly saved: SavedLevel | undefined;
    readonly inherited: readonly LevelRow[];
    /** Of the organization. */
    readonly catalogue: SettingsCatalogue;
  },
  counts: { readonly devices: number; readonly exceptions: number },
): routerSettings.LevelSettings {
  return {
    level,
    name,
    version: saved?.version ?? 0,
    changed: saved?.createdAt.toISOString() ?? null,
    by: saved?.createdBy ?? '',
    values: toShownValues(catalogue, saved?.content ?? {}),
    inherited: resolveSettings(levelsOf({ levels: inherited }), NO_VARIABLES, catalogue).map(({ setting, stored, from }) => ({
      path: setting.path,
      value: shownValue(setting, stored),
      from,
    })),
    ...counts,
  };
}

/** A device with each of its values, and what is known of its router. */
export function toDeviceDto(
  row: DesiredRow,
  shown: ShownDevice,
  visits: readonly RemoteVisit[] = [],
): routerSettings.DeviceSettings {
  const values = settingsOf(row).map((each) => toValueDto(each, row, visits));
  const removals = Object.keys(row.report ?? {}).filter((path) => path.endsWith(']'));
  return {
    device: row.deviceId,
    serial_number: row.serial,
    vehicle_number: row.vehicleNumber,
    online: shown.isOnline,
    state: worstState([...values.map(({ state }) => state), ...removals.map(() => 'differs' as const)]) ?? 'none',
    checked: row.checkedAt?.toISOString() ?? null,
    values,
    removals,
    command: toApplied(shown),
  };
}

/** After this time a change is the router's own, or of another. */
const VISIT_MS = 60_000;

/** The person whose remote session was open when a value was found changed; empty = unknown. */
function visitorAt(visits: readonly RemoteVisit[], since: string | undefined): string {
  if (since === undefined) return '';
  const at = Date.parse(since);
  return visits.find(({ opened, ended }) => opened.getTime() <= at && (ended?.getTime() ?? at) >= at - VISIT_MS)?.email ?? '';
}

function toValueDto(
  effective: EffectiveSetting,
  { report }: DesiredRow,
  visits: readonly RemoteVisit[],
): routerSettings.EffectiveValue {
  const { setting, from, stored, text, fault, overrides } = effective;
  const isSecret = setting.isSecret === true;
  const common = {
    path: setting.path,
    value: shownValue(setting, stored),
    resolved: isSecret ? null : (text ?? null),
    from,
    overrides: overrides.map((each) => ({ path: setting.path, from: each.from, value: shownValue(setting, each.stored) })),
  };
  if (fault !== undefined) {
    const state = fault.kind === 'variable' ? 'no-value' : 'invalid';
    return {
      ...common,
      state,
      actual: null,
      since: null,
      by: '',
      message: isSecret && fault.kind === 'invalid' ? '' : fault.text,
    };
  }
  const known = report !== null && Object.hasOwn(report, setting.path) ? report[setting.path] : undefined;
  const desired = 'secret' in stored ? stored.secret : text;
  // It had a fault when the router was read, and has none any more.
  const hadFault = known?.state === 'invalid' || known?.state === 'no-value';
  if (known === undefined || known.desired !== desired || hadFault)
    return { ...common, state: 'not-sent', actual: isSecret ? null : (known?.actual ?? null), since: null, by: '', message: '' };
  return {
    ...common,
    state: known.state,
    actual: isSecret ? null : (known.actual ?? null),
    since: known.since ?? null,
    by: visitorAt(visits, known.since),
    message: known.message ?? '',
  };
}

function toApplied(row: AppliedRow): routerSettings.DeviceSettings['command'] {
  if (row.commandId === null) return null;
  return {
    id: row.commandId,
    state: row.commandState!,
    reason: row.commandReason,
    message: row.commandMessage ?? '',
    created: row.commandAt!.toISOString(),
    ended: row.commandEndedAt?.toISOString() ?? null,
  };
}

/** A device of the list. */
export function toRowDto(row: SettingsListRow): routerSettings.SettingsRow {
  return {
    device: row.device_id,
    serial_number: row.serial,
    vehicle_number: row.vehicle_number ?? '',
    group: row.group_key,
    group_name: row.group_name ?? '',
    online: row.is_online,
    state: row.state,
    checked: row.checked_at?.toISOString() ?? null,
    // Of what is set now, nothing is known in another state.
    differs: row.state === 'differs' ? row.differs : 0,
    since: row.state === 'differs' ? row.since : null,
    exceptions: row.exceptions,
    command: toApplied(row),
  };
}
