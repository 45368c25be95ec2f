import {
  type DateOrder,
  DEFAULT_GROUP_KEY,
  DEFAULT_GROUP_NAME,
  type deviceAdding,
  devices,
  failures,
  lengthOf,
  nameKey,
  tidySearch,
} from '@highline/contract';
import { normalizeMac } from '@highline/usp';
import type { z } from 'zod';
import { americanDay } from '../../kernel/calendar.ts';
import { changesOf, setFields, tagsOf } from '../../platform/csv/index.ts';
import {
  createDateColumns,
  mendableReportOf,
  openTable,
  type DateReader,
  type FileSummary,
  type ReadOptions,
  type TableRow,
  type TableShape,
} from '../../platform/tables/index.ts';
import { DomainError, type Actor, type OrganizationScope, type Scope } from '../../kernel/index.ts';
import type { Clock, Database, Queries, Tx } from '../../platform/ports/index.ts';
import { Slices } from '../../platform/process/slices.ts';
import { listGroupNames } from '../groups/index.ts';
import { storedTags } from './device.tags.ts';
import { tagsInUse } from './devices.queries.ts';
import { membershipChanged } from '../rollouts/index.ts';
import { recordMembership } from './devices.audit.ts';
import {
  claimDevices,
  claimedRouters,
  validateClaims,
  type ClaimFault,
  type ClaimOutcome,
  type DeviceClaim,
  type RoutersClaimed,
} from './devices.claim.ts';

type Column = 'serial' | 'mac';
type DateColumn = 'started' | 'expired';
type OptionalColumn = DateColumn | 'group' | 'vehicle' | 'note' | 'tags';
type Cells = TableRow<Column, OptionalColumn>['cells'];

const identity = { serial: 'SN', mac: 'MAC' } as const;
const dates = { started: 'Start Date', expired: 'Expiry Date' } as const;
const group = { group: 'Group' } as const;
const facts = { vehicle: 'Vehicle#', note: 'Notes', tags: 'Tags' } as const;

/** The columns of a file: an organization's wizard accepts one without dates (ORG-03); its organization has one group. */
export const deviceShapes: Record<'devices' | 'organization', TableShape<Column, OptionalColumn | DateColumn>> = {
  devices: { required: { ...identity, ...dates }, optional: { ...dates, ...facts, ...group } },
  organization: { required: identity, optional: { ...dates, ...facts } },
};

export interface ImportOptions extends ReadOptions {
  /** Check only, write nothing. */
  readonly dryRun: boolean;
  readonly layout: keyof typeof deviceShapes;
  /** Of dates that nothing decides; `ask` rejects the file. */
  readonly dates: DateOrder | 'ask';
}
const MAX_FAILURES = 1_000;
const MAX_IDS = 200;

/** The message for a failed row; for a taken serial the second of DEV-06's texts. */
const faultTexts: Record<ClaimFault, string> = {
  'device.serial_unknown': failures['device.serial_unknown'].message,
  'device.mac_mismatch': failures['device.mac_mismatch'].message,
  'device.duplicate': 'Existing serial number',
};

type FailedRow = deviceAdding.ImportResult['fail'][number];
type ImportResult = z.infer<typeof deviceAdding.importDevices.response>['result'];

interface GoodRow {
  readonly row: number;
  /** As it was written, for the message. */
  readonly mac: string;
  readonly claim: DeviceClaim;
  /** Its name, as it was written; empty = the default. */
  readonly groupName: string;
}

/** A file that was read. */
interface ReadFile {
  readonly good: readonly GoodRow[];
  readonly bad: readonly FailedRow[];
  readonly summary: FileSummary;
  readonly dates: DateReader<DateColumn>['ambiguous'];
}

/**
 * Add devices from a CSV or a workbook (SN, MAC, start date, expiry date; optional group, vehicle number, notes and tags): good rows are
 * imported, bad ones are reported by row. The same file again adds nothing: its rows are then existing serial numbers. One
 * transaction and one audit entry for the file.
 * @param scope one organization; only a dry run works for a whole main account, and does not check groups
 * @throws DomainError `csv.*`; `csv.all_failed` with the result as detail and the first row's reason when no row was good;
 * `request.org_required`
 */
export async function importDevices(
  deps: { readonly database: Database; readonly clock: Clock; readonly routersClaimed: RoutersClaimed },
  scope: Scope,
  actor: Actor,
  path: string,
  options: ImportOptions,
): Promise<ImportResult> {
  const { dryRun, layout } = options;
  if (scope.kind === 'main' && !dryRun) throw new DomainError('request.org_required', { field: 'org' });
  const { good: read, bad, summary, dates: ambiguous } = await readRows(path, options);
  const named = await withStoredGroups(deps.database.read, scope, read);
  const { rows: good, newTags } = await withKnownTags(deps.database.read, scope, named);
  const isCheck = dryRun || scope.kind === 'main';
  const outcomes = isCheck
    ? await checkRows(deps.database, scope, good)
    : await deps.database.write((tx) => claimRows(tx, scope, actor, good, deps.clock.now()));
  if (!isCheck) deps.routersClaimed(claimedRouters(outcomes));
  const fail = await failuresOf(good, bad, outcomes);
  const report = await mendableReportOf({ path, shape: deviceShapes[layout], options }, fail);
  const result = { ...resultOf(good, fail, outcomes, { dryRun, newTags }), ...report, file: summary, dates: [...ambiguous] };
  if (result.success === 0) throw new DomainError('csv.all_failed', { reason: result.fail[0]!.error, detail: result });
  return result;
}

type RowOutcome = ClaimOutcome | { readonly error: string };

async function checkRows(database: Database, scope: Scope, good: readonly GoodRow[]): Promise<RowOutcome[]> {
  const grouped = scope.kind === 'main' ? good.map(({ claim }) => ({ claim })) : await withGroups(database.read, scope, good);
  const claims = grouped.flatMap((row) => ('claim' in row ? [row.claim] : []));
  const decisions = await validateClaims(database.read, scope, claims);
  return inOrder(
    grouped,
    decisions.map((decision) =>
      'fault' in decision ? decision : { deviceId: '', routerId: decision.router.id, serial: decision.router.serial },
    ),
  );
}

type GroupedRow = { readonly claim: DeviceClaim } | { readonly error: string };

/** The outcomes of the rows that have a group, among those that have none. */
function inOrder(grouped: readonly GroupedRow[], outcomes: readonly ClaimOutcome[]): RowOutcome[] {
  let next = 0;
  return grouped.map((row) => ('error' in row ? row : outcomes[next++]!));
}

/**
 * Claims with the groups that the rows name. A group that does not exist is not made: a mistyped name would become a group without
 * firmware and settings.
 */
async function withGroups(queries: Queries, scope: OrganizationScope, good: readonly GoodRow[]): Promise<GroupedRow[]> {
  if (good.every(({ groupName }) => groupName === '')) return good.map(({ claim }) => ({ claim }));
  const groups = await listGroupNames(queries, scope);
  const byName = new Map([...groups].reverse().map(({ key, name }) => [nameKey(name), key]));
  for (const { key, name } of groups) byName.set(name, key);
  return good.map(({ claim, groupName }) => {
    if (groupName === '') return { claim };
    const groupKey = byName.get(groupName) ?? byName.get(nameKey(groupName));
    if (groupKey !== undefined) return { claim: { ...claim, groupKey } };
    return { error: `${group.group}: there is no group “${groupName.slice(0, LONGEST_GROUP_NAME)}”` };
  });
}

/** The rows with the names of their groups as they are stored; one that does not exist stays as it was written. */
async function withStoredGroups(queries: Queries, scope: Scope, good: readonly GoodRow[]): Promise<readonly GoodRow[]> {
  if (scope.kind === 'main' || good.every(({ groupName }) => groupName === '')) return good;
  const names = (await listGroupNames(queries, scope)).map(({ name }) => name);
  const [all, byKey] = [new Set(names), new Map([...names].reverse().map((name) => [nameKey(name), name]))];
  return good.map((row) => {
    if (row.groupName === '' || all.has(row.groupName)) return row;
    return { ...row, groupName: byKey.get(nameKey(row.groupName)) ?? row.groupName };
  });
}

const LONGEST_GROUP_NAME = 60;

async function claimRows(
  tx: Tx,
  scope: OrganizationScope,
  actor: Actor,
  good: readonly GoodRow[],
  now: Date,
): Promise<RowOutcome[]> {
  const grouped = await withGroups(tx, scope, good);
  const claims = grouped.flatMap((row) => ('claim' in row ? [row.claim] : []));
  const outcomes = await claimDevices(tx, scope, claims, now);
  const added = outcomes.flatMap((outcome, index) =>
    'deviceId' in outcome ? [{ id: outcome.deviceId, serial: outcome.serial, groupKey: claims[index]!.groupKey }] : [],
  );
  if (added.length === 0) return inOrder(grouped, outcomes);
  await membershipChanged(
    tx,
    scope,
    added.map(({ id }) => id),
    now,
  );
  await recordMembership(tx, scope, actor, 'Imported', added, now);
  return inOrder(grouped, outcomes);
}

/** New tags that are listed. */
const MOST_NEW_TAGS = 20;

/** The claims with their tags as devices of the scope and earlier rows have them, and the tags that are new, in alphabetical order. */
async function withKnownTags(
  queries: Queries,
  scope: Scope,
  good: readonly GoodRow[],
): Promise<{ readonly rows: GoodRow[]; readonly newTags: string[] }> {
  const named = storedTags(good.flatMap(({ claim: { tags = [] } }) => tags));
  const used = named.length === 0 ? new Map<string, string>() : await tagsInUse(queries, scope, named);
  const newTags = named.filter((tag) => !used.has(nameKey(tag)));
  for (const tag of newTags) used.set(nameKey(tag), tag);
  const rows = good.map(({ claim, ...row }) => ({
    ...row,
    claim: { ...claim, tags: storedTags((claim.tags ?? []).map((tag) => used.get(nameKey(tag)) ?? tag)) },
  }));
  return { rows, newTags: newTags.slice(0, MOST_NEW_TAGS) };
}

/** All rows that failed, in the order of the file. */
async function failuresOf(
  good: readonly GoodRow[],
  bad: readonly FailedRow[],
  outcomes: readonly RowOutcome[],
): Promise<FailedRow[]> {
  const failed = [...bad];
  const slices = new Slices();
  for (const [index, { row, mac, claim }] of good.entries()) {
    if (index % ROWS_AT_ONCE === 0) await slices.pause();
    const outcome = outcomes[index]!;
    const error = 'error' in outcome ? outcome.error : 'fault' in outcome ? faultTexts[outcome.fault] : undefined;
    if (error !== undefined) failed.push({ row, serial: claim.serial, mac, error });
  }
  return failed.sort((a, b) => a.row - b.row);
}

/** Rows that are looked at before other calls may run. */
const ROWS_AT_ONCE = 500;

function resultOf(
  good: readonly GoodRow[],
  fail: readonly FailedRow[],
  outcomes: readonly RowOutcome[],
  { dryRun, newTags }: { readonly dryRun: boolean; readonly newTags: readonly string[] },
) {
  const ids = dryRun ? [] : outcomes.flatMap((outcome) => ('deviceId' in outcome ? [outcome.deviceId] : []));
  const added = good.filter((_, index) => 'deviceId' in outcomes[index]!);
  return {
    dryRun,
    success: added.length,
    total: added.length + fail.length,
    fail: fail.slice(0, MAX_FAILURES),
    failed: fail.length,
    ids: ids.slice(0, MAX_IDS),
    changes: { ...changesOf(added.map(changeOf)), newTags: [...newTags] },
  };
}

/** What a row sets: its router was in stock before. */
function changeOf({ row, groupName, claim }: GoodRow) {
  const { serial, vehicleNumber = '', note = '', tags = [], startedOn, expiresOn } = claim;
  const days = { started: americanDay(startedOn), expired: americanDay(expiresOn) };
  const inGroup = groupName === '' ? DEFAULT_GROUP_NAME : groupName;
  const changes = setFields({ group: inGroup, vehicle: vehicleNumber, note, tags: tags.join(', '), ...days });
  return { row, serial, changes };
}

/** A row that is good but for its dates: how they are read is decided by all rows. */
interface UndatedRow {
  readonly row: number;
  readonly cells: Cells;
  readonly claim: Omit<DeviceClaim, 'startedOn' | 'expiresOn'>;
}

async function readRows(path: string, { layout, dates: order, ...options }: ImportOptions): Promise<ReadFile> {
  const undated: UndatedRow[] = [];
  const bad: FailedRow[] = [];
  const columns = createDateColumns<DateColumn>(dates);
  const reject = (row: number, { serial, mac }: Cells, error: string) =>
    void bad.push({ row, serial: serial.slice(0, 100), mac: mac.slice(0, 40), error });
  const { summary, rows } = await openTable(path, deviceShapes[layout], options);
  for await (const { row, cells, fault } of rows) {
    columns.add(cells);
    const claim = fault ?? claimOf(cells);
    if (typeof claim === 'string') reject(row, cells, claim);
    else undated.push({ row, cells, claim });
  }
  const reader = columns.decide(order === 'ask' ? 'mdy' : order);
  if (order === 'ask' && reader.ambiguous.length > 0) throw ambiguousDates(reader.ambiguous);
  const good: GoodRow[] = [];
  const slices = new Slices();
  for (const [index, { row, cells, claim }] of undated.entries()) {
    if (index % ROWS_AT_ONCE === 0) await slices.pause();
    const period = periodOf(reader, cells, layout);
    if (typeof period === 'string') reject(row, cells, period);
    else good.push({ row, mac: cells.mac.slice(0, 40), claim: { ...claim, ...period }, groupName: cells.group ?? '' });
  }
  return { good, bad, summary, dates: reader.ambiguous };
}

function ambiguousDates(dates: ReadFile['dates']): DomainError {
  const { column, example } = dates[0]!;
  return new DomainError('csv.dates_ambiguous', { reason: `${column}: ${example}`, field: 'dates', detail: { dates } });
}

/** The claim of a row without its dates, or an error message. */
function claimOf(cells: Cells): UndatedRow['claim'] | string {
  const serial = tidySearch(cells.serial).trim();
  if (serial === '' || lengthOf(serial) > 100) return faultTexts['device.serial_unknown'];
  const mac = normalizeMac(cells.mac);
  if (mac === undefined) return faultTexts['device.mac_mismatch'];
  const described = descriptionOf(cells);
  return typeof described === 'string' ? described : { serial, mac, groupKey: DEFAULT_GROUP_KEY, ...described };
}

const rules = devices.saveDevice.body.shape;

/** Vehicle number, notes and tags of a row, or an error message. */
function descriptionOf({
  vehicle = '',
  note = '',
  tags = '',
}: Cells): Pick<DeviceClaim, 'vehicleNumber' | 'note' | 'tags'> | string {
  const checked = {
    vehicle: rules.vehicleNumber.safeParse(vehicle),
    note: rules.note.safeParse(note),
  };
  if (!checked.vehicle.success) return `${facts.vehicle}: ${problemOf(checked.vehicle.error)}`;
  if (!checked.note.success) return `${facts.note}: ${problemOf(checked.note.error)}`;
  const named = tagsOf(tags);
  for (const tag of named) {
    const problem = tagProblem(tag);
    if (problem !== undefined) return problem;
  }
  const all = rules.tags.safeParse(named);
  if (!all.success) return `${facts.tags}: ${problemOf(all.error)}`;
  return { vehicleNumber: checked.vehicle.data ?? '', note: checked.note.data ?? '', tags: storedTags(all.data ?? []) };
}

/** Names the tag that is too long or has a control character. */
function tagProblem(tag: string): string | undefined {
  const checked = rules.tags.safeParse([tag]);
  return checked.success ? undefined : `${facts.tags}: "${tag.slice(0, 40)}" ${problemOf(checked.error)}`;
}

function problemOf(error: z.ZodError): string {
  return error.issues[0]?.message ?? 'is not valid';
}

/** The subscription of a row, or an error message. */
function periodOf(
  reader: DateReader<DateColumn>,
  { started = '', expired = '' }: Cells,
  layout: keyof typeof deviceShapes,
): Pick<DeviceClaim, 'startedOn' | 'expiresOn'> | string {
  if (layout === 'organization' && started === '' && expired === '') return { startedOn: null, expiresOn: null };
  const start = reader.read('started', started);
  if ('fault' in start) return start.fault;
  const end = reader.read('expired', expired);
  if ('fault' in end) return end.fault;
  if (end.day < start.day) return failures['device.dates_reversed'].message;
  return { startedOn: start.day, expiresOn: end.day };
}
