import {
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
import {
  changesOf,
  mendableReportOf,
  readCsv,
  setFields,
  tagsOf,
  type CsvRow,
  type CsvShape,
  type MendableReport,
} from '../../platform/csv/index.ts';
import { DomainError, parseDay, type Actor, type OrganizationScope, type Scope } from '../../kernel/index.ts';
import type { Clock, Database, Queries, Tx } from '../../platform/ports/index.ts';
import { storedTags } from './device.tags.ts';
import { tagsInUse } from './devices.queries.ts';
import { membershipChanged } from '../rollouts/index.ts';
import { recordMembership } from './devices.audit.ts';
import { claimDevices, validateClaims, type ClaimFault, type ClaimOutcome, type DeviceClaim } from './devices.claim.ts';

type Column = 'serial' | 'mac';
type OptionalColumn = 'started' | 'expired' | 'vehicle' | 'note' | 'tags';
type Cells = CsvRow<Column, OptionalColumn>['cells'];

const identity = { serial: 'SN', mac: 'MAC' } as const;
const dates = { started: 'Start Date', expired: 'Expiry Date' } as const;
const facts = { vehicle: 'Vehicle#', note: 'Notes', tags: 'Tags' } as const;

/** The columns of a file: an organization's wizard accepts one without dates (ORG-03). */
export const deviceShapes: Record<'devices' | 'organization', CsvShape<Column, OptionalColumn>> = {
  devices: { required: { ...identity, ...dates }, optional: { ...dates, ...facts } },
  organization: { required: identity, optional: { ...dates, ...facts } },
};

export interface ImportOptions {
  /** Check only, write nothing. */
  readonly dryRun: boolean;
  readonly layout: keyof typeof deviceShapes;
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

interface GoodRow {
  readonly row: number;
  /** As it was written, for the message. */
  readonly mac: string;
  readonly claim: DeviceClaim;
}

/**
 * Add devices from a CSV (SN, MAC, start date, expiry date; optional vehicle number, notes and tags) to the default group: good rows are imported, bad ones are reported
 * by row. The same file again adds nothing: its rows are then existing serial numbers. One transaction and one audit entry for
 * the file.
 * @param scope one organization; only a dry run works for a whole main account
 * @throws DomainError `csv.*`; `csv.all_failed` with the result as detail and the first row's reason when no row was good;
 * `request.org_required`
 */
export async function importDevices(
  deps: { readonly database: Database; readonly clock: Clock },
  scope: Scope,
  actor: Actor,
  path: string,
  { dryRun, layout }: ImportOptions,
): Promise<deviceAdding.ImportResult> {
  if (scope.kind === 'main' && !dryRun) throw new DomainError('request.org_required', { field: 'org' });
  const { good: read, bad } = await readRows(path, layout);
  const { rows: good, newTags } = await withKnownTags(deps.database.read, scope, read);
  const claims = good.map(({ claim }) => claim);
  const outcomes =
    dryRun || scope.kind === 'main'
      ? await checkClaims(deps.database, scope, claims)
      : await deps.database.write((tx) => claimRows(tx, scope, actor, claims, deps.clock.now()));
  const fail = failuresOf(good, bad, outcomes);
  const report = await mendableReportOf(path, deviceShapes[layout], fail);
  const result = resultOf(good, fail, outcomes, { dryRun, newTags, report });
  if (result.success === 0) throw new DomainError('csv.all_failed', { reason: result.fail[0]!.error, detail: result });
  return result;
}

async function checkClaims(database: Database, scope: Scope, claims: readonly DeviceClaim[]): Promise<ClaimOutcome[]> {
  const decisions = await validateClaims(database.read, scope, claims);
  return decisions.map((decision) => ('fault' in decision ? decision : { deviceId: '' }));
}

async function claimRows(
  tx: Tx,
  scope: OrganizationScope,
  actor: Actor,
  claims: readonly DeviceClaim[],
  now: Date,
): Promise<ClaimOutcome[]> {
  const outcomes = await claimDevices(tx, scope, claims, now);
  const added = outcomes.flatMap((outcome, index) =>
    'deviceId' in outcome ? [{ id: outcome.deviceId, serial: claims[index]!.serial, groupKey: claims[index]!.groupKey }] : [],
  );
  if (added.length === 0) return outcomes;
  await membershipChanged(
    tx,
    scope,
    added.map(({ id }) => id),
    now,
  );
  await recordMembership(tx, scope, actor, 'Imported', added, now);
  return outcomes;
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
function failuresOf(good: readonly GoodRow[], bad: readonly FailedRow[], outcomes: readonly ClaimOutcome[]): FailedRow[] {
  const rejected = good.flatMap(({ row, mac, claim }, index) => {
    const outcome = outcomes[index]!;
    return 'fault' in outcome ? [{ row, serial: claim.serial, mac, error: faultTexts[outcome.fault] }] : [];
  });
  return [...bad, ...rejected].sort((a, b) => a.row - b.row);
}

interface Summary {
  readonly dryRun: boolean;
  readonly newTags: readonly string[];
  readonly report: MendableReport;
}

function resultOf(
  good: readonly GoodRow[],
  fail: readonly FailedRow[],
  outcomes: readonly ClaimOutcome[],
  { dryRun, newTags, report }: Summary,
): deviceAdding.ImportResult {
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
    ...report,
  };
}

/** What a row sets: its router was in stock before. */
function changeOf({ row, claim }: GoodRow) {
  const { serial, vehicleNumber = '', note = '', tags = [], startedOn, expiresOn } = claim;
  const days = { started: americanDay(startedOn), expired: americanDay(expiresOn) };
  const changes = setFields({ group: DEFAULT_GROUP_NAME, vehicle: vehicleNumber, note, tags: tags.join(', '), ...days });
  return { row, serial, changes };
}

async function readRows(path: string, layout: keyof typeof deviceShapes): Promise<{ good: GoodRow[]; bad: FailedRow[] }> {
  const good: GoodRow[] = [];
  const bad: FailedRow[] = [];
  for await (const { row, cells } of readCsv(path, deviceShapes[layout])) {
    const claim = claimOf(cells, layout);
    const mac = cells.mac.slice(0, 40);
    if (typeof claim === 'string') bad.push({ row, serial: cells.serial.slice(0, 100), mac, error: claim });
    else good.push({ row, mac, claim });
  }
  return { good, bad };
}

/** The claim of a row, or an error message. */
function claimOf(cells: Cells, layout: keyof typeof deviceShapes): DeviceClaim | string {
  const serial = tidySearch(cells.serial).trim();
  if (serial === '' || lengthOf(serial) > 100) return faultTexts['device.serial_unknown'];
  const mac = normalizeMac(cells.mac);
  if (mac === undefined) return faultTexts['device.mac_mismatch'];
  const period = periodOf(cells, layout);
  if (typeof period === 'string') return period;
  const described = descriptionOf(cells);
  return typeof described === 'string' ? described : { serial, mac, groupKey: DEFAULT_GROUP_KEY, ...period, ...described };
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
  { started = '', expired = '' }: Cells,
  layout: keyof typeof deviceShapes,
): Pick<DeviceClaim, 'startedOn' | 'expiresOn'> | string {
  if (layout === 'organization' && started === '' && expired === '') return { startedOn: null, expiresOn: null };
  const startedOn = parseDay(started);
  if (startedOn === undefined) return `${dates.started}: must be a date as MM/DD/YYYY`;
  const expiresOn = parseDay(expired);
  if (expiresOn === undefined) return `${dates.expired}: must be a date as MM/DD/YYYY`;
  if (expiresOn < startedOn) return failures['device.dates_reversed'].message;
  return { startedOn, expiresOn };
}
