import { DEFAULT_GROUP_KEY, type deviceAdding, failures } from '@highline/contract';
import { normalizeMac } from '@highline/usp';
import { readCsv, type CsvRow, type CsvShape } from '../../platform/csv/index.ts';
import { DomainError, parseDay, type Actor, type OrganizationScope, type Scope } from '../../kernel/index.ts';
import type { Clock, Database, Tx } from '../../platform/ports/index.ts';
import { membershipChanged } from '../rollouts/index.ts';
import { recordMembership } from './devices.audit.ts';
import { claimDevices, validateClaims, type ClaimFault, type ClaimOutcome, type DeviceClaim } from './devices.claim.ts';

type Column = 'serial' | 'mac';
type DateColumn = 'started' | 'expired';
type Cells = CsvRow<Column, DateColumn>['cells'];

const identity = { serial: 'SN', mac: 'MAC' } as const;
const dates = { started: 'Start Date', expired: 'Expiry Date' } as const;

/** The columns of a file: an organization's wizard accepts one without dates (ORG-03). */
const shapes: Record<'devices' | 'organization', CsvShape<Column, DateColumn>> = {
  devices: { required: { ...identity, ...dates } },
  organization: { required: identity, optional: dates },
};

export interface ImportOptions {
  /** Check only, write nothing. */
  readonly dryRun: boolean;
  readonly layout: keyof typeof shapes;
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
 * Add devices from a CSV (SN, MAC, start date, expiry date) to the default group: good rows are imported, bad ones are reported
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
  const { good, bad } = await readRows(path, layout);
  const claims = good.map(({ claim }) => claim);
  const outcomes =
    dryRun || scope.kind === 'main'
      ? await checkClaims(deps.database, scope, claims)
      : await deps.database.write((tx) => claimRows(tx, scope, actor, claims, deps.clock.now()));
  const result = resultOf(good, bad, outcomes, dryRun);
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

function resultOf(
  good: readonly GoodRow[],
  bad: readonly FailedRow[],
  outcomes: readonly ClaimOutcome[],
  dryRun: boolean,
): deviceAdding.ImportResult {
  const rejected = good.flatMap(({ row, mac, claim }, index) => {
    const outcome = outcomes[index]!;
    return 'fault' in outcome ? [{ row, serial: claim.serial, mac, error: faultTexts[outcome.fault] }] : [];
  });
  const fail = [...bad, ...rejected].sort((a, b) => a.row - b.row);
  const ids = dryRun ? [] : outcomes.flatMap((outcome) => ('deviceId' in outcome ? [outcome.deviceId] : []));
  return {
    dryRun,
    success: good.length - rejected.length,
    total: good.length + bad.length,
    fail: fail.slice(0, MAX_FAILURES),
    failed: fail.length,
    ids: ids.slice(0, MAX_IDS),
  };
}

async function readRows(path: string, layout: keyof typeof shapes): Promise<{ good: GoodRow[]; bad: FailedRow[] }> {
  const good: GoodRow[] = [];
  const bad: FailedRow[] = [];
  for await (const { row, cells } of readCsv(path, shapes[layout])) {
    const claim = claimOf(cells, layout);
    const mac = cells.mac.slice(0, 40);
    if (typeof claim === 'string') bad.push({ row, serial: cells.serial.slice(0, 100), mac, error: claim });
    else good.push({ row, mac, claim });
  }
  return { good, bad };
}

/** The claim of a row, or an error message. */
function claimOf(cells: Cells, layout: keyof typeof shapes): DeviceClaim | string {
  const { serial } = cells;
  if (serial === '' || serial.length > 100) return faultTexts['device.serial_unknown'];
  const mac = normalizeMac(cells.mac);
  if (mac === undefined) return faultTexts['device.mac_mismatch'];
  const period = periodOf(cells, layout);
  return typeof period === 'string' ? period : { serial, mac, groupKey: DEFAULT_GROUP_KEY, ...period };
}

/** The subscription of a row, or an error message. */
function periodOf(
  { started = '', expired = '' }: Cells,
  layout: keyof typeof shapes,
): Pick<DeviceClaim, 'startedOn' | 'expiresOn'> | string {
  if (layout === 'organization' && started === '' && expired === '') return { startedOn: null, expiresOn: null };
  const startedOn = parseDay(started);
  if (startedOn === undefined) return `${dates.started}: must be a date as MM/DD/YYYY`;
  const expiresOn = parseDay(expired);
  if (expiresOn === undefined) return `${dates.expired}: must be a date as MM/DD/YYYY`;
  if (expiresOn < startedOn) return failures['device.dates_reversed'].message;
  return { startedOn, expiresOn };
}
