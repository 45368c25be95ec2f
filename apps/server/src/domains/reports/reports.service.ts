import type { reports } from '@highline/contract';
import type { z } from 'zod';
import { DomainError, isId, newId, type Actor, type OrganizationScope } from '../../kernel/index.ts';
import { lockAccountForNoKeyUpdate } from '../../platform/locks/row-locks.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { getProjectGroup } from '../groups/index.ts';
import { recordAudit, sentence } from '../logs/index.ts';
import {
  countReports,
  lockReport,
  putReport,
  removeReport,
  selectReports,
  type SavedQuestion,
  type SavedReportRow,
} from './reports.store.ts';

export type ReportServiceDeps = Pick<Deps, 'database' | 'clock'>;

/** The most reports of one user in one organization. */
const MOST_REPORTS = 100;

/** A saved report in an API call. */
export type ReportInput = z.output<typeof reports.saveReport.body>;

/** The user's own saved reports, by name. */
export async function listReports(
  { database }: Pick<ReportServiceDeps, 'database'>,
  scope: OrganizationScope,
  { accountId }: Pick<Actor, 'accountId'>,
): Promise<reports.SavedReport[]> {
  return (await selectReports(database.read, scope, accountId)).map((row) => toReportDto(scope, row));
}

/** A saved report as the API returns it (part 2 section 3, "Report search arguments"). */
function toReportDto({ organizationId }: OrganizationScope, { id, name, question }: SavedReportRow): reports.SavedReport {
  return { id, reportName: name, projectId: organizationId, ...question };
}

/**
 * Save a query under a name (RPT-01), with exactly the arguments of part 2 section 3; the same name again replaces it. A save that changes nothing is not logged.
 * @throws DomainError `report.too_many`
 */
export async function saveReport(
  { database, clock }: ReportServiceDeps,
  scope: OrganizationScope,
  actor: Actor,
  input: ReportInput,
): Promise<reports.SavedReport> {
  const now = clock.now();
  const { accountId } = actor;
  const { reportName: name } = input;
  const question = keptOf(scope, input, await getProjectGroup(database.read, scope, input));
  return database.write(async (tx) => {
    // Concurrent saves of one user wait here, so that they cannot exceed the limit.
    await lockAccountForNoKeyUpdate(tx, scope, accountId);
    const locked = await lockReport(tx, scope, accountId, name);
    if (locked !== undefined && isSame(locked.question, question)) return toReportDto(scope, locked);
    if (locked === undefined && (await countReports(tx, scope, accountId)) >= MOST_REPORTS)
      throw new DomainError('report.too_many', { field: 'reportName' });
    const id = await putReport(tx, scope, accountId, { id: newId(now.getTime()), name, question }, now);
    await announce(tx, scope, 'reports', []);
    const event = {
      action: sentence(locked === undefined ? 'report.saved' : 'report.changed', name),
      subject: { kind: 'report', id },
      detail: { name, ...(locked === undefined ? { question } : { before: locked.question, after: question }) },
    };
    await recordAudit(tx, scope.organizationId, actor, event, now);
    return toReportDto(scope, { id, name, question });
  });
}

/**
 * Delete one of the user's own reports.
 * @throws DomainError `not_found`, also for another user's and for an invalid id
 */
export async function deleteReport(
  { database, clock }: ReportServiceDeps,
  scope: OrganizationScope,
  actor: Actor,
  id: string,
): Promise<void> {
  await database.write(async (tx) => {
    const name = isId(id) ? await removeReport(tx, scope, actor.accountId, id) : undefined;
    if (name === undefined) throw new DomainError('not_found', { field: 'report' });
    await announce(tx, scope, 'reports', []);
    const event = { action: sentence('report.deleted', name), subject: { kind: 'report', id }, detail: { name } };
    await recordAudit(tx, scope.organizationId, actor, event, clock.now());
  });
}

/** The search arguments without name and organization; those that are left out are empty. */
function keptOf({ organizationId }: OrganizationScope, input: ReportInput, groupId: string): SavedQuestion {
  const { dayType, startDate = '', endDate = '', queryId = '', projectId = '', deviceId = '', properties, num = '' } = input;
  const isGroup = projectId !== '' && projectId.toLowerCase() !== organizationId;
  return {
    dayType: dayType === undefined || dayType === '' ? null : dayType,
    startDate,
    endDate,
    queryId,
    groupId,
    ...(isGroup ? { projectId } : {}),
    deviceId,
    properties: { id: properties?.id ?? '' },
    num,
  };
}

function isSame(one: SavedQuestion, other: SavedQuestion): boolean {
  const names = Object.keys({ ...one, ...other }) as (keyof SavedQuestion)[];
  return names.every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name]));
}
