import { failures, type ConnectionChange, type esims } from '@highline/contract';
import { DomainError, type OrganizationScope } from '../../kernel/index.ts';
import { changesOf, setFields } from '../../platform/csv/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { mendableReport, type ReadOptions, type RejectedRow } from '../../platform/tables/index.ts';
import { recordAudit, type AuditActor } from '../logs/index.ts';
import { validateProfiles, addProfiles, type AddOutcome, type Adding } from './adding.ts';
import type { CodeSeal } from './code.seal.ts';
import { assertConfirmed, impactOf } from './effects.ts';
import { importEvent } from './esims.audit.ts';
import { readRows, type Column, type ReadRow } from './imported-rows.ts';
import type { Confirmation, EsimServiceDeps } from './profile-lock.ts';
import { validateIccid, type ProfileFault, type ProfileInput } from './validate-profile.ts';

const MAX_FAILURES = 1_000;
const MAX_IDS = 200;

/** Columns of the report: those of SIM-04, which the import accepts as its own. */
const reportHeader = ['serial', 'eid', 'ac', 'iccid', 'apn1', 'apn2', 'name'] as const satisfies readonly Column[];
const reportKnown = new Set(reportHeader.keys());

/** A row that was not added, and why. */
type Failed = ReadRow & { readonly error: string };

function* rejectedRows(failed: readonly Failed[]): Generator<RejectedRow> {
  for (const { whole, error } of failed)
    yield { written: { header: reportHeader, known: reportKnown, cells: reportHeader.map((column) => whole[column]) }, error };
}

/** What a row sets: its eSIM is new. Activation codes are not repeated. */
function changeOf({ row, cells: { serial, eid, iccid, apn1, apn2, name } }: ReadRow) {
  return { row, serial, changes: setFields({ eid, name, iccid, apn1, apn2 }) };
}

/**
 * Add eSIM profiles from a CSV or a workbook: good rows are added, bad ones are reported by row with the texts of SIM-05. One transaction and
 * one audit entry for the file.
 * @throws DomainError `csv.*`; `csv.all_failed` with the result as detail and the first row's reason when no row was good;
 * `impact.changed`
 */
export async function importProfiles(
  deps: EsimServiceDeps,
  scope: OrganizationScope,
  actor: AuditActor,
  file: { readonly path: string; readonly name: string },
  { dryRun, confirmed, iccids = false, ...options }: Confirmation & ReadOptions & { readonly iccids?: boolean },
): Promise<esims.ProfileImportResult> {
  if (!/\.(?:csv|tsv|xlsx)$/iu.test(file.name.trim()))
    throw new DomainError('csv.not_csv', { field: 'profile', reason: 'Send a CSV file or an Excel workbook (.xlsx).' });
  const { rows: all, summary } = await readRows(file.path, options);
  const rows = all.filter((row) => row.fault === undefined);
  // A dry run says what the file would do once the doubtful numbers are confirmed.
  const input = rows.map((row) =>
    iccids || dryRun ? { ...row.input, iccidConfirmed: row.input.iccidConfirmed ?? true } : row.input,
  );
  const { database, clock, codes } = deps;
  const confirm = (changes: readonly ConnectionChange[]) => void assertConfirmed(changes, confirmed);
  const adding = dryRun
    ? await validateProfiles(database.read, codes, scope, input)
    : await database.write((tx) => insertRows(tx, codes, scope, actor, input, clock.now(), confirm));
  const unread = all.flatMap((row): Failed[] => (row.fault === undefined ? [] : [{ ...row, error: row.fault }]));
  const result = { ...(await resultOf(rows, adding, unread, dryRun, iccids)), file: summary };
  if (result.success === 0) throw new DomainError('csv.all_failed', { reason: result.fail[0]!.error, detail: result });
  return result;
}

async function insertRows(
  tx: Tx,
  codes: CodeSeal,
  scope: OrganizationScope,
  actor: AuditActor,
  input: readonly ProfileInput[],
  now: Date,
  confirm: (changes: readonly ConnectionChange[]) => void,
): Promise<Adding> {
  const adding = await addProfiles(tx, codes, scope, input, now, confirm);
  const added = adding.outcomes.flatMap((outcome) => ('profile' in outcome ? [outcome.profile] : []));
  if (added.length === 0) return adding;
  await announce(
    tx,
    scope,
    'esims',
    added.map(({ id }) => id),
  );
  await recordAudit(tx, scope.organizationId, actor, importEvent(added), now);
  return adding;
}

async function resultOf(
  rows: readonly ReadRow[],
  { outcomes, changes }: Adding,
  unread: readonly Failed[],
  dryRun: boolean,
  areConfirmed: boolean,
): Promise<Omit<esims.ProfileImportResult, 'file'>> {
  const rejected = rows.flatMap((row, index): Failed[] => {
    const outcome = outcomes[index]!;
    return 'fault' in outcome ? [{ ...row, error: errorOf(outcome, row.cells.eid) }] : [];
  });
  const doubts = areConfirmed ? [] : rows.flatMap((row, index) => doubtOf(row, outcomes[index]!, dryRun));
  const failed = [...unread, ...rejected].sort((a, b) => a.row - b.row);
  const added = dryRun ? [] : outcomes.flatMap((outcome) => ('profile' in outcome ? [outcome.profile.id] : []));
  return {
    dryRun,
    success: rows.length - rejected.length,
    total: rows.length + unread.length,
    fail: failed.slice(0, MAX_FAILURES).map(({ row, cells, error }) => ({ row, ...cells, error })),
    failed: failed.length,
    ids: added.slice(0, MAX_IDS),
    changes: { ...changesOf(rows.filter((_, index) => !('fault' in outcomes[index]!)).map(changeOf)), newTags: [] },
    doubts: doubts.slice(0, MAX_FAILURES),
    doubted: doubts.length,
    ...(await mendableReport(rejectedRows(failed), 'error')),
    impact: impactOf(changes),
  };
}

/** Spreadsheets keep 15 digits of a number: 8.90440456789012E+31, or its digits with zeros behind them. */
function isDamagedEid(eid: string): boolean {
  return /^\d(?:[.,]\d+)?e\+?\d{2}$/iu.test(eid) || /^\d{15,17}0{15,17}$/u.test(eid);
}

/** In a file a number is confirmed in a column of its own. */
function errorOf({ fault, message, doubt }: ProfileFault, eid: string): string {
  if ((fault === 'esim.eid_invalid' || fault === 'esim.eid_mismatch') && isDamagedEid(eid))
    return failures['esim.eid_damaged'].message;
  const text = message ?? failures[fault].message;
  return doubt === undefined ? text : `${text} In a file, write yes or the right number into a column iccid_confirmed.`;
}

/** A row whose ICCID a person has not confirmed: in a dry run it is good apart from that. */
function doubtOf({ row, input }: ReadRow, outcome: AddOutcome, dryRun: boolean): esims.ProfileImportResult['doubts'] {
  const { serial, iccid, iccidConfirmed } = input;
  if (iccid === '' || ('fault' in outcome && (dryRun || outcome.doubt === undefined))) return [];
  const fault = validateIccid(iccid, iccidConfirmed);
  return typeof fault === 'string' || fault.doubt === undefined ? [] : [{ row, serial, ...fault.doubt }];
}
