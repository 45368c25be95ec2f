import {
  catalogueOf,
  entryOf,
  mayBeSaved,
  MOST_ENTRIES,
  standardCatalogue,
  routerSettings,
  type SettingsCatalogue,
} from '@highline/contract';
import type { z } from 'zod';
import { DomainError, newId, required, type Actor, type OrganizationScope, type Sealing } from '../../kernel/index.ts';
import { lockOrganizationForNoKeyUpdate } from '../../platform/locks/row-locks.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import { storedSerials } from '../inventory/index.ts';
import { recordAudit, sentence, type AuditAction, type SentencePart } from '../logs/index.ts';
import { readFamilies } from './schema-files.ts';
import { createPreview, withDraft } from './preview.ts';
import type { LevelContent, StoredValue } from './effective-setting.ts';
import { toLevelDto, toShownValues } from './settings.dto.ts';
import {
  countDevices,
  findDesiredOf,
  countDiffering,
  findDeviceId,
  findDiffering,
  findInherited,
  findLevel,
  findSaved,
  findVersions,
  type LevelTarget,
  type SavedLevel,
} from './settings.queries.ts';
import { isOtherwise, worstState, type SettingsReport, type ValueReport } from './compare.ts';
import { storeStates } from './desired.job.queries.ts';
import { requireRestoreApproval } from './restore-approval.ts';
import {
  createRowResolver,
  isSameContent,
  levelsOf,
  openSecrets,
  settingsOf,
  type DesiredRow,
  type Secrets,
} from './settings.rows.ts';
import type { ValuesRow, ValuesTable } from './values-table.ts';
import { insertVersion } from './settings.store.ts';

export interface SettingsDeps extends Pick<Deps, 'database' | 'clock'> {
  readonly settingSealing: Sealing;
}

/** A level as a call names it. */
export interface NamedLevel {
  readonly group?: string | undefined;
  readonly device?: string | undefined;
}

type Input = z.output<typeof routerSettings.saveSettings.body>['values'];

/** What is to be saved for a level. */
interface Draft extends NamedLevel {
  readonly values: Input;
  /** Version whose secrets are kept; undefined = the present one. */
  readonly secretsOf?: number | undefined;
}

/** The version whose secrets are kept. @throws DomainError `settings.no_version` */
async function findKept(
  queries: Queries,
  scope: OrganizationScope,
  target: LevelTarget,
  saved: SavedLevel | undefined,
  version: number | undefined,
): Promise<SavedLevel | undefined> {
  if (version === undefined || version === saved?.version) return saved;
  const [found] = await findVersions(queries, scope, target, { before: version + 1, limit: 1 });
  return required(found?.version === version ? found : undefined, 'settings.no_version', { field: 'secretsOf' });
}

/** What a level set before, the newest first (TPL-03). @throws DomainError as `requireLevel` */
export async function readVersions(
  { database }: Pick<SettingsDeps, 'database'>,
  scope: OrganizationScope,
  named: NamedLevel,
  before: number | undefined,
): Promise<routerSettings.SettingsVersion[]> {
  const target = await requireLevel(database.read, scope, named);
  const found = await findVersions(database.read, scope, target, { before, limit: routerSettings.MOST_VERSIONS });
  const catalogue = await readCatalogue(database.read, scope);
  return found.map(({ version, content, createdAt, createdBy }) => ({
    version,
    changed: createdAt.toISOString(),
    by: createdBy,
    values: toShownValues(catalogue, content),
  }));
}

/** Devices that are read at once. */
const BATCH = 1_000;

/** @throws DomainError `settings.one_level`, `group.not_found`, `not_found` for the device */
export async function requireLevel(queries: Queries, scope: OrganizationScope, named: NamedLevel): Promise<LevelTarget> {
  if (named.group !== undefined && named.device !== undefined) throw new DomainError('settings.one_level', { field: 'group' });
  const found = await findLevel(queries, scope, named);
  return named.device === undefined
    ? required(found, 'group.not_found', { field: 'group' })
    : required(found, 'not_found', { field: 'device' });
}

/** What a level sets and inherits. @throws DomainError as `requireLevel` */
export async function readLevel(
  { database }: Pick<SettingsDeps, 'database'>,
  scope: OrganizationScope,
  named: NamedLevel,
): Promise<routerSettings.LevelSettings> {
  const target = await requireLevel(database.read, scope, named);
  const saved = await findSaved(database.read, scope, target);
  const inherited = await findInherited(database.read, scope, target);
  const catalogue = await readCatalogue(database.read, scope);
  return toLevelDto(target, { saved, inherited, catalogue }, await countDevices(database.read, scope, target));
}

/**
 * Replace what a level sets; nothing is sent by it.
 * @throws DomainError `conflict.stale`, `settings.invalid_value`, `settings.unknown_path`, `settings.too_many_entries`, and as `requireLevel`
 */
export async function saveLevel(
  deps: SettingsDeps,
  scope: OrganizationScope,
  actor: Actor,
  { values, secretsOf, ...named }: Draft,
  isCurrent: (version: number) => boolean,
): Promise<void> {
  const now = deps.clock.now();
  await deps.database.write(async (tx) => {
    await lockOrganizationForNoKeyUpdate(tx, scope);
    const target = await requireLevel(tx, scope, named);
    const saved = await findSaved(tx, scope, target);
    if (!isCurrent(saved?.version ?? 0)) throw new DomainError('conflict.stale');
    const keeps = await findKept(tx, scope, target, saved, secretsOf);
    const { content, secrets } = toContent(deps.settingSealing, await readCatalogue(tx, scope), keeps, values);
    if (isSameContent(saved?.content ?? {}, content)) return;
    const hasNewSecret = values.some(({ path, value }) => value !== null && !('value' in content[path]!));
    await requireRestoreApproval(tx, scope, { target, part: partOf(target), saved, content, secretsOf, hasNewSecret });
    await storeLevel(tx, deps, scope, actor, { target, saved, content, secrets }, now);
  });
}

interface LevelChange {
  readonly target: LevelTarget;
  readonly saved: SavedLevel | undefined;
  readonly content: LevelContent;
  readonly secrets: Readonly<Record<string, string>>;
  /** What the log says of it; by default that it was saved. */
  readonly action?: AuditAction;
}

async function storeLevel(
  tx: Tx,
  { settingSealing }: SettingsDeps,
  scope: OrganizationScope,
  actor: Actor,
  { target, saved, content, secrets, action }: LevelChange,
  now: Date,
): Promise<void> {
  const seal = (id: string) =>
    Object.keys(secrets).length === 0 ? null : settingSealing.seal(id, Buffer.from(JSON.stringify(secrets)));
  await insertVersion(tx, scope, target, { version: (saved?.version ?? 0) + 1, content, seal, email: actor.email }, now);
  await announce(tx, scope, 'settings', target.deviceId === null ? [] : [target.deviceId]);
  const event = {
    action: action ?? sentence('settings.saved', partOf(target), Object.keys(content).length),
    subject: { kind: target.level, id: target.deviceId ?? target.groupKey ?? scope.organizationId },
    detail: {
      level: target.level,
      name: target.name,
      before: maskedContent(saved?.content ?? {}),
      after: maskedContent(content),
    },
  };
  await recordAudit(tx, scope.organizationId, actor, event, now);
}

function partOf({ level, name }: LevelTarget): SentencePart {
  if (level === 'organization') return sentence('part.settings_organization');
  return level === 'device' ? sentence('part.device', name) : name;
}

const MASK = '••••••';

/** What a log entry shows: no secret, and not its id either. */
function maskedContent(content: LevelContent): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(content).map(([path, stored]) => [path, 'value' in stored ? stored.value : MASK]));
}

/** What an organization may save: for any of its models. */
export async function readCatalogue(queries: Queries, scope: OrganizationScope): Promise<SettingsCatalogue> {
  const families = await readFamilies(queries, scope);
  return families.length === 0 ? standardCatalogue : catalogueOf(undefined, families);
}

/** @throws DomainError `settings.too_many_entries` */
function requireFewEntries(values: Input): void {
  if (hasTooManyEntries(values.flatMap(({ path }) => entryOf(path) ?? [])))
    throw new DomainError('settings.too_many_entries', { field: 'values' });
}

/** Whether a list has more entries than it may. */
export function hasTooManyEntries(entries: readonly { readonly list: string; readonly entry: string }[]): boolean {
  const lists = Map.groupBy(entries, ({ list }) => list);
  return [...lists.values()].some((own) => new Set(own.map(({ entry }) => entry)).size > MOST_ENTRIES);
}

/**
 * What is to be stored: secrets that are kept keep their ids, so that routers that confirmed them need not be sent them again. A value that is
 * stored stays as it is, though no schema file has its parameter any more, or one has it as no secret.
 */
function toContent(
  sealing: Sealing,
  catalogue: SettingsCatalogue,
  saved: SavedLevel | undefined,
  values: Input,
): Pick<LevelChange, 'content' | 'secrets'> {
  requireFewEntries(values);
  let opened: Secrets | undefined;
  const keptOf = (id: string) => (opened ??= saved === undefined ? {} : openSecrets(sealing, saved))[id]!;
  const secrets: Record<string, string> = {};
  const content = values.map(({ path, value }): [string, LevelContent[string]] => {
    const found = catalogue.find(path);
    const stored = saved !== undefined && Object.hasOwn(saved.content, path) ? saved.content[path] : undefined;
    if (stored !== undefined && 'secret' in stored && value === null) {
      secrets[stored.secret] = keptOf(stored.secret);
      return [path, stored];
    }
    const plain = stored !== undefined && 'value' in stored ? stored.value : null;
    if (found === undefined && plain !== null && plain === value) return [path, { value: plain }];
    const setting = required(found, 'settings.unknown_path', { field: path });
    // A text that was stored before its parameter became a secret is shown as one, and is sealed now.
    const text = value ?? (setting.isSecret === true ? plain : null);
    if (text === null || !mayBeSaved(setting, text)) throw new DomainError('settings.invalid_value', { field: path });
    if (setting.isSecret !== true) return [path, { value: text }];
    const id = newId();
    secrets[id] = text;
    return [path, { secret: id }];
  });
  return { content: Object.fromEntries(content), secrets };
}

/** What would change on devices if these values were saved (TPL-03). @throws DomainError `settings.invalid_value`, and as `requireLevel` */
export async function previewLevel(
  { database, settingSealing }: SettingsDeps,
  scope: OrganizationScope,
  { values, secretsOf, ...named }: Draft,
): Promise<routerSettings.SettingsPreview> {
  const target = await requireLevel(database.read, scope, named);
  const catalogue = await readCatalogue(database.read, scope);
  const saved = await findSaved(database.read, scope, target);
  const keeps = await findKept(database.read, scope, target, saved, secretsOf);
  const { content } = toContent(settingSealing, catalogue, keeps, values);
  const sum = createPreview(target.level, content);
  let after: string | undefined;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- a page begins after the one before
    const rows = await findDesiredOf(database.read, scope, target, { after, limit: BATCH });
    for (const row of rows) sum.add(row);
    if (rows.length < BATCH) return sum.total();
    after = rows.at(-1)!.deviceId;
  }
}

/**
 * Make what the router reports an exception of its device, where that differs and fits (TPL-05).
 * @throws DomainError `not_found` for the device, `settings.nothing_differs`
 */
export async function adoptReported(deps: SettingsDeps, scope: OrganizationScope, actor: Actor, device: string): Promise<void> {
  const now = deps.clock.now();
  await deps.database.write(async (tx) => {
    await lockOrganizationForNoKeyUpdate(tx, scope);
    if (!(await adoptDevice(tx, deps, scope, actor, device, now))) throw new DomainError('settings.nothing_differs');
  });
}

/** Devices that one call adopts. */
const MOST_ADOPTED = 500;

/**
 * The same for all devices of a group or of the organization that differ.
 * @throws DomainError `group.not_found`
 */
export async function adoptMany(
  deps: SettingsDeps,
  scope: OrganizationScope,
  actor: Actor,
  group: string | undefined,
): Promise<{ readonly devices: number; readonly left: number }> {
  const now = deps.clock.now();
  const target = await requireLevel(deps.database.read, scope, { group });
  const found = await findDiffering(deps.database.read, scope, target.groupKey, MOST_ADOPTED);
  let devices = 0;
  for (let at = 0; at < found.length; at += IMPORT_BATCH) {
    // oxlint-disable-next-line no-await-in-loop -- a batch after another, so that the organization is not locked for long
    await deps.database.write(async (tx) => {
      await lockOrganizationForNoKeyUpdate(tx, scope);
      for (const device of found.slice(at, at + IMPORT_BATCH))
        // oxlint-disable-next-line no-await-in-loop -- one connection
        if (await adoptDevice(tx, deps, scope, actor, device, now)) devices++;
    });
  }
  return { devices, left: await countDiffering(deps.database.read, scope, target.groupKey) };
}

/** @returns whether anything was adopted */
async function adoptDevice(
  tx: Tx,
  deps: SettingsDeps,
  scope: OrganizationScope,
  actor: Actor,
  device: string,
  now: Date,
): Promise<boolean> {
  const target = await requireLevel(tx, scope, { device });
  const [row] = await findDesiredOf(tx, scope, target, { limit: 1 });
  const { report } = required(row, 'not_found', { field: 'device' });
  const adopted = settingsOf(row!).flatMap(({ setting, text }): [string, LevelContent[string]][] => {
    const known = report !== null && Object.hasOwn(report, setting.path) ? report[setting.path] : undefined;
    const isCurrent = known !== undefined && known.desired === text && isOtherwise(known.state);
    const actual = isCurrent ? known.actual : undefined;
    return actual !== undefined && mayBeSaved(setting, actual) && !actual.includes('{{')
      ? [[setting.path, { value: actual }]]
      : [];
  });
  if (adopted.length === 0) return false;
  const saved = await findSaved(tx, scope, target);
  const content = { ...saved?.content, ...Object.fromEntries(adopted) };
  const secrets = saved === undefined ? {} : openSecrets(deps.settingSealing, saved);
  const action = sentence('settings.adopted', target.name, adopted.length);
  await storeLevel(tx, deps, scope, actor, { target, saved, content, secrets, action }, now);
  await storeAdopted(tx, row!, adopted, now);
  return true;
}

/** What was adopted is as set, by what the router said when it was last read: it need not be read again for that. */
async function storeAdopted(
  tx: Tx,
  row: DesiredRow,
  adopted: readonly (readonly [string, LevelContent[string]])[],
  now: Date,
): Promise<void> {
  const { organizationId, deviceId, routerId, report, checkedAt } = row;
  const asSet = adopted.flatMap(([path, stored]): [string, ValueReport][] =>
    'value' in stored ? [[path, { state: 'as-set', desired: stored.value }]] : [],
  );
  const content: SettingsReport = { ...report, ...Object.fromEntries(asSet) };
  const state = worstState(Object.values(content).map((each) => each.state));
  if (state === undefined || state === 'not-sent' || checkedAt === null) return;
  await storeStates(tx, [{ organizationId, deviceId, routerId, state, content, after: checkedAt }], now);
}

type Import = routerSettings.SettingsImport;

/** The secrets of values that stay. @throws DomainError `secret.unreadable` */
function keptSecrets(
  sealing: Sealing,
  saved: SavedLevel | undefined,
  kept: readonly (readonly [string, StoredValue])[],
): Secrets {
  const ids = kept.flatMap(([, stored]) => ('secret' in stored ? [stored.secret] : []));
  if (saved === undefined || ids.length === 0) return {};
  const opened = openSecrets(sealing, saved);
  return Object.fromEntries(ids.map((id) => [id, opened[id]!]));
}

/** Rows of one transaction. */
const IMPORT_BATCH = 100;
const MOST_LISTED = 1_000;

/** What was done with rows of a file. */
interface Imported {
  changed: number;
  unchanged: number;
  readonly fail: Import['fail'][number][];
  readonly doubts: Import['doubts'][number][];
}

/**
 * Set values of devices from a table; nothing is sent. Good rows are saved, bad rows are listed (TPL-02).
 * @param read reads it with what can be set @throws DomainError as it does
 */
export async function importValues(
  deps: SettingsDeps,
  scope: OrganizationScope,
  actor: Actor,
  {
    read,
    isDryRun,
  }: { readonly read: (catalogue: SettingsCatalogue) => ValuesTable | Promise<ValuesTable>; readonly isDryRun: boolean },
): Promise<Import> {
  const catalogue = await readCatalogue(deps.database.read, scope);
  const { rows, file } = await read(catalogue);
  const serials = rows.map(({ serial }) => serial);
  // Serial numbers are typed in any case.
  const stored = await storedSerials(deps.database.read, scope, serials);
  const serialOf = ({ serial }: ValuesRow) => stored.get(serial) ?? serial;
  const firstOf = new Map(
    rows
      .filter(({ isTooLong, unreadable }) => !isTooLong && unreadable === undefined)
      .map((each) => [serialOf(each), each.row] as const)
      .toReversed(),
  );
  const all: Imported = { changed: 0, unchanged: 0, fail: [], doubts: [] };
  const now = deps.clock.now();

  const importRow = async (queries: Queries, row: ValuesRow, found: Imported, save: (change: LevelChange) => Promise<void>) => {
    const { serial } = row;
    const faulty = (kind: Import['fail'][number]['kind'], path = '') => found.fail.push({ row: row.row, serial, kind, path });
    if (row.unreadable !== undefined) return faulty('unreadable', row.unreadable);
    if (row.isTooLong) return faulty('cells');
    if (firstOf.get(serialOf(row)) !== row.row) return faulty('twice');
    const device = await findDeviceId(queries, scope, serialOf(row));
    if (device === undefined) return faulty('device');
    const target = await requireLevel(queries, scope, { device });
    const saved = await findSaved(queries, scope, target);
    const unfit = [...row.values].find(([path, value]) => value !== null && !mayBeSaved(catalogue.find(path)!, value));
    if (unfit !== undefined) return faulty('value', unfit[0]);
    // What the row does not name stays as it is stored, though no schema file has it any more.
    const kept = Object.entries(saved?.content ?? {}).filter(([path]) => !row.values.has(path));
    const typed = [...row.values].flatMap(([path, value]) => (value === null ? [] : [{ path, value }]));
    const entries = [...kept.map(([path]) => path), ...typed.map(({ path }) => path)].flatMap((path) => entryOf(path) ?? []);
    if (hasTooManyEntries(entries)) return faulty('entries');
    const added = toContent(deps.settingSealing, catalogue, undefined, typed);
    const content = { ...Object.fromEntries(kept), ...added.content };
    const secrets = { ...keptSecrets(deps.settingSealing, saved, kept), ...added.secrets };
    if (isSameContent(saved?.content ?? {}, content)) found.unchanged++;
    else {
      found.changed++;
      await save({ target, saved, content, secrets });
    }
    const [desired] = await findDesiredOf(queries, scope, target, { limit: 1 });
    for (const { setting, fault } of createRowResolver((row) => withDraft(levelsOf(row), 'device', content))(desired!))
      if (fault !== undefined && row.values.has(setting.path))
        found.doubts.push({ row: row.row, serial, path: setting.path, kind: fault.kind, text: fault.text });
    return undefined;
  };

  for (let at = 0; at < rows.length; at += IMPORT_BATCH) {
    const batch = rows.slice(at, at + IMPORT_BATCH);
    // For itself: a transaction that lost a deadlock is repeated.
    const importBatch = async (queries: Queries, save: (change: LevelChange) => Promise<void>): Promise<Imported> => {
      const found: Imported = { changed: 0, unchanged: 0, fail: [], doubts: [] };
      // oxlint-disable-next-line no-await-in-loop -- one connection
      for (const row of batch) await importRow(queries, row, found, save);
      return found;
    };
    const { changed, unchanged, fail, doubts } = isDryRun
      ? // oxlint-disable-next-line no-await-in-loop -- a batch after another
        await importBatch(deps.database.read, async () => undefined)
      : // oxlint-disable-next-line no-await-in-loop -- a batch after another, so that the organization is not locked for long
        await deps.database.write(async (tx) => {
          await lockOrganizationForNoKeyUpdate(tx, scope);
          return importBatch(tx, (change) => storeLevel(tx, deps, scope, actor, change, now));
        });
    all.changed += changed;
    all.unchanged += unchanged;
    all.fail.push(...fail);
    all.doubts.push(...doubts);
  }
  const { changed, unchanged, fail, doubts } = all;
  return {
    dryRun: isDryRun,
    rows: rows.length,
    changed,
    unchanged,
    failed: fail.length,
    fail: fail.slice(0, MOST_LISTED),
    doubted: doubts.length,
    doubts: doubts.slice(0, MOST_LISTED),
    file,
  };
}
