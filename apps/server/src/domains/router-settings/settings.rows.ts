import { catalogueOf, type SettingsCatalogue, type SettingsFamily } from '@highline/contract';
import type { Sealing } from '../../kernel/sealing.ts';
import type { SettingsReport } from './compare.ts';
import type { EffectiveSetting, Level, LevelContent } from './effective-setting.ts';
import { createResolver, variablesOf, type SettingsResolver } from './resolve.ts';

declare module '../../platform/ports/column-types.ts' {
  interface ColumnTypes {
    'router_settings.content': LevelContent;
    'router_settings_states.content': SettingsReport;
  }
}

/** A level of a device as a statement returns it. */
export interface LevelRow {
  readonly id: string;
  readonly group: string | null;
  readonly device: string | null;
  readonly content: LevelContent;
  /** Base64. */
  readonly sealed: string | null;
}

/** A living device with everything that its settings are made of. */
export interface DesiredRow {
  readonly deviceId: string;
  readonly organizationId: string;
  readonly mainAccountId: string;
  readonly routerId: string;
  readonly serial: string;
  readonly vehicleNumber: string;
  readonly properties: Readonly<Record<string, boolean | number | string>> | null;
  readonly levels: readonly LevelRow[] | null;
  /** What its present router reported; null = it was never read. */
  readonly report: SettingsReport | null;
  readonly checkedAt: Date | null;
  /** Empty = unknown. */
  readonly model: string;
  /** What the organization's schema files add. */
  readonly families: readonly SettingsFamily[];
}

const catalogues = new WeakMap<readonly SettingsFamily[], Map<string, SettingsCatalogue>>();

/** What can be set on the model of a device. */
export function catalogueOfDevice({ model, families }: Pick<DesiredRow, 'model' | 'families'>): SettingsCatalogue {
  const known = catalogues.get(families) ?? new Map<string, SettingsCatalogue>();
  catalogues.set(families, known);
  const found = known.get(model) ?? catalogueOf(model, families);
  known.set(model, found);
  return found;
}

/** The levels of a device, from the organization to the device. */
export function levelsOf({ levels }: Pick<DesiredRow, 'levels'>): readonly Level[] {
  const rank = ({ level }: Level) => ['organization', 'group', 'device'].indexOf(level);
  return (levels ?? [])
    .map(({ group, device, content }): Level => {
      if (device !== null) return { level: 'device', content };
      return { level: group === null ? 'organization' : 'group', content };
    })
    .toSorted((a, b) => rank(a) - rank(b));
}

type RowResolver = (row: DesiredRow) => readonly EffectiveSetting[];

const MOST_RESOLVERS = 200;

/**
 * Resolve the settings of many devices: what those of the same levels and model have in common is done once. A version of a level never
 * changes, so its id stands for it; a level of a device is of no other one.
 * @param findLevels another level may stand in for one of the row if it does so in each row
 */
export function createRowResolver(findLevels: (row: DesiredRow) => readonly Level[]): RowResolver {
  const resolvers = new WeakMap<readonly SettingsFamily[], Map<string, SettingsResolver>>();
  return (row) => {
    const create = () => createResolver(findLevels(row), catalogueOfDevice(row));
    if (row.levels?.some(({ device }) => device !== null)) return create()(variablesOf(row));
    const known = resolvers.get(row.families) ?? new Map<string, SettingsResolver>();
    resolvers.set(row.families, known);
    const key = [row.model, ...(row.levels ?? []).map(({ id }) => id).toSorted()].join(' ');
    const found = known.get(key);
    if (found !== undefined) return found(variablesOf(row));
    const resolver = create();
    if (known.size >= MOST_RESOLVERS) known.clear();
    known.set(key, resolver);
    return resolver(variablesOf(row));
  };
}

/** The values of a device that count. */
export const settingsOf: RowResolver = createRowResolver(levelsOf);

/** Secrets of a level by their ids. */
export type Secrets = Readonly<Record<string, string>>;

/** @throws DomainError `secret.unreadable` */
export function openSecrets(sealing: Sealing, { id, sealed }: { readonly id: string; readonly sealed: Buffer | null }): Secrets {
  return sealed === null ? {} : (JSON.parse(sealing.open(id, sealed).toString('utf8')) as Secrets);
}

/** The secrets of all levels of a device. @throws DomainError `secret.unreadable` */
export function secretsOf(sealing: Sealing, { levels }: Pick<DesiredRow, 'levels'>): ReadonlyMap<string, string> {
  const opened = (levels ?? []).flatMap(({ id, sealed }) =>
    Object.entries(openSecrets(sealing, { id, sealed: sealed === null ? null : Buffer.from(sealed, 'base64') })),
  );
  return new Map(opened);
}

/** Whether two contents of a level set the same. */
export function isSameContent(before: LevelContent, after: LevelContent): boolean {
  const ordered = (content: LevelContent) => JSON.stringify(Object.entries(content).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return ordered(before) === ordered(after);
}
