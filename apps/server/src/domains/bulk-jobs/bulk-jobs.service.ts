import { bulkJobs, DEFAULT_GROUP_KEY, normalizeGroupKey, rightsOfJob, type rollouts } from '@highline/contract';
import { DomainError, isId, required, requireRight, type Actor, type OrganizationScope, type Scope } from '../../kernel/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import { withoutLimit } from '../../platform/calls/index.ts';
import type { Fragment } from '../../platform/listing/index.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Queries, Tx } from '../../platform/ports/database.ts';
import { isApproved, requireApproval } from '../approvals/index.ts';
import { findCommand, readOrder, rejectWindow } from '../commands/index.ts';
import { devicesOf, rejectEmptyTags, tagsAsInUse, untilStill } from '../devices/index.ts';
import { getGroup } from '../groups/index.ts';
import { type AuditAction, sentence } from '../logs/index.ts';
import { arrivalImpact, requireArrivalApproval, requireSettingsApproval, rowsOf } from '../rollouts/index.ts';
import { readSubscription } from '../subscriptions/index.ts';
import { isStoredChange, scopeOf, type FormerItems, type OwnJob, type JobSource, type StoredAction } from './bulk-job.ts';
import { recordJob, sentenceOf } from './bulk-job.audit.ts';
import { changeBatch, CHANGE_BATCH } from './bulk-job.batch.ts';
import { isRetriable, isUndoable } from './bulk-job.dto.ts';
import { findRows, hasUuids, isListOfMain, isListOfOrganization } from './bulk-job.rows.queries.ts';
import { selectMore } from './bulk-job.selection.ts';
import { countSelected, devicesOfItems, listArrivals, listFormerRows, pageDevices, selected } from './bulk-jobs.queries.ts';
import { addItems, cancel, countActive, insertJob, lockJob, noteFollower, type SelectedDevice } from './bulk-jobs.store.ts';
import { sql } from 'kysely';

type Removing = Extract<StoredAction, { kind: 'remove' }>;

export interface BulkJobDeps extends Pick<Deps, 'database' | 'reader' | 'clock' | 'deviceLink' | 'expiringDays'> {
  /** Work on the deletion of rows for a moment: few rows are gone when this resolves. */
  readonly removeFirst: (scope: Scope, job: string) => Promise<void>;
  /** A job may have begun. */
  readonly wakeJobs: () => void;
}

/** The start of a job as the caller describes it. */
export interface JobInput {
  readonly action: bulkJobs.JobAction;
  readonly selection: bulkJobs.JobSelection;
  /** `confirmation` of what the group starts at once, as the user has seen it; undefined = not compared. */
  readonly confirmed?: string | undefined;
  /** `confirmation` of the preview that the user has seen; undefined = not compared. */
  readonly preview?: string | undefined;
}

/** A change of devices as the caller describes it. */
export interface PreviewInput {
  readonly action: bulkJobs.DeviceAction;
  readonly selection: bulkJobs.DeviceSelection;
}

/**
 * What a job would do (BLK-01).
 * @throws DomainError as `startJob`
 */
export async function previewJob(
  deps: BulkJobDeps,
  scope: Scope,
  actor: Actor,
  input: PreviewInput,
): Promise<bulkJobs.JobPreview> {
  const { reader, database, clock, expiringDays } = deps;
  requireRights(actor, input.action);
  const selection = readSelection(input.selection);
  const action = await readAction(database.read, scope, input.action);
  const devices = selected(scope, selection, expiringDays, clock.now());
  const counts = await countSelected(reader, scope, devices, action);
  if ('devices' in selection && counts.devices < selection.devices.length)
    throw new DomainError('not_found', { field: 'selection.devices' });
  return { ...counts, arrivals: await arrivalsOf(database.read, scope, action, devices) };
}

/**
 * Start a job (BLK-01). A change of few devices is done when this returns.
 * @returns its id
 * @throws DomainError `permission.denied` and `key.not_allowed` for an action that the caller may not do with one device, `not_found` for a foreign device,
 * `group.not_found`, `command.not_found`, `device.dates_reversed`, `request.invalid`, `request.org_required`, `impact.changed`,
 * `job.nothing_selected`, `job.too_many`
 */
export async function startJob(deps: BulkJobDeps, scope: Scope, actor: Actor, input: JobInput): Promise<string> {
  const { action: desired } = input;
  requireRights(actor, desired);
  if (desired.kind === 'remove') return startRemoval(deps, scope, actor, desired, input);
  if ('rows' in input.selection) throw new DomainError('request.invalid', { field: 'selection.rows' });
  const selection = readSelection(input.selection);
  return begin(deps, async (tx, now) => {
    const action = await readAction(tx, scope, desired);
    const devices = selected(scope, selection, deps.expiringDays, now);
    await rejectChangedDevices(tx, scope, action, devices, input.preview);
    await rejectChangedArrivals(tx, scope, action, devices, input.confirmed);
    if (action.kind === 'move') {
      const joining = sql`${devices} and d.group_key <> ${action.group}`;
      await requireArrivalApproval(tx, organizationOf(scope), [{ group: action.group, joining }]);
    }
    if (sendsSettings(action)) await requireSettingsApproval(tx, organizationOf(scope), devices);
    const source: JobSource | null =
      'filter' in selection ? { from: 'filter', filter: selection.filter, at: now.toISOString() } : null;
    const job = await openJob(tx, scope, actor, { action, isUndo: false, source }, now);
    if ('devices' in selection) await addChosen(tx, scope, job, selection.devices, deps.expiringDays, now);
    return proceed(tx, deps, scope, actor, job, sentence('job.started', sentenceOf(action)), now);
  });
}

/** Delete rows of a list other than the devices; few of them are gone when this resolves. */
async function startRemoval(
  deps: BulkJobDeps,
  scope: Scope,
  actor: Actor,
  action: Removing,
  { selection, confirmed }: JobInput,
): Promise<string> {
  if (!('rows' in selection)) throw new DomainError('request.invalid', { field: 'selection.rows' });
  const owner = rowOwner(scope, action.list);
  const ids = readRows(action.list, selection.rows);
  const id = await begin(deps, async (tx, now) => {
    const rows = await findRows(tx, owner, action.list, ids);
    if (rows.length < ids.length) throw new DomainError('not_found', { field: 'selection.rows' });
    if (action.list === 'organizations') await requireDeletionApproval(tx, owner, rows);
    if (action.list === 'groups') {
      await rejectChangedReturn(tx, organizationOf(owner), ids, confirmed);
      const joining = sql`d.group_key = any (${ids}::text[])`;
      await requireArrivalApproval(tx, organizationOf(owner), [{ group: DEFAULT_GROUP_KEY, joining }]);
    }
    const job = await openJob(tx, owner, actor, { action, isUndo: false, source: null }, now);
    await addItems(tx, job, rows, true);
    return proceed(tx, deps, owner, actor, job, sentence('job.started', sentenceOf(action)), now);
  });
  await deps.removeFirst(owner, id);
  return id;
}

/**
 * Do it again for the devices or rows that failed, as a new job (BLK-01).
 * @returns its id
 * @throws DomainError `job.not_found`, `job.active`, `job.nothing_failed`, `job.too_many`, `permission.denied`, `key.not_allowed`, `approval.waiting`
 */
export async function retryJob(deps: BulkJobDeps, scope: Scope, actor: Actor, id: string): Promise<string> {
  const retry = await begin(deps, async (tx, now) => {
    const former = await lockEnded(tx, scope, actor, id);
    if (!isRetriable(former)) throw new DomainError('job.nothing_failed');
    const source = { from: 'job', job: former.id, state: 'failed', target: 'target' } as const;
    await requireFollowerApproval(tx, former, source, former.is_undo);
    const job = await openJob(tx, scope, actor, { action: former.action, isUndo: former.is_undo, source }, now);
    await noteFollower(tx, former, 'retried_by', job.id);
    return proceed(tx, deps, scope, actor, job, sentence('job.retried', sentenceOf(former.action)), now);
  });
  await deps.removeFirst(scope, retry);
  return retry;
}

/**
 * Restore the former values, of the devices whose value is still the one that the job has set, as a new job (BLK-01).
 * @returns its id
 * @throws DomainError `job.not_found`, `job.active`, `job.not_undoable`, `job.too_many`, `permission.denied`, `key.not_allowed`, `approval.waiting`
 */
export function undoJob(deps: BulkJobDeps, scope: Scope, actor: Actor, id: string): Promise<string> {
  return begin(deps, async (tx, now) => {
    const former = await lockEnded(tx, scope, actor, id);
    if (!isUndoable(former)) throw new DomainError('job.not_undoable');
    const source = { from: 'job', job: former.id, state: 'done', target: 'before' } as const;
    await requireFollowerApproval(tx, former, source, true);
    const job = await openJob(tx, scope, actor, { action: former.action, isUndo: true, source }, now);
    await noteFollower(tx, former, 'undone_by', job.id);
    return proceed(tx, deps, scope, actor, job, sentence('job.undone', sentenceOf(former.action)), now);
  });
}

/** Stop a job before its next batch. @throws DomainError `job.not_found`, `job.ended`, `permission.denied`, `key.not_allowed` */
export async function cancelJob(
  { database, clock }: Pick<BulkJobDeps, 'database' | 'clock'>,
  scope: Scope,
  actor: Actor,
  id: string,
): Promise<void> {
  const now = clock.now();
  await database.write(async (tx) => {
    const job = await getForChange(tx, scope, actor, id);
    if (job.ended_at !== null) throw new DomainError('job.ended');
    await cancel(tx, job, now);
    await announce(tx, scopeOfJob(scope, job), 'jobs', [job.id]);
    await recordJob(tx, scope, actor, job, sentence('job.cancelled', sentenceOf(job.action)), now);
  });
}

/**
 * Begin to run a custom command on devices, as a job in the name of the actor, within a transaction of the caller: for what is done without a
 * person (USE-03). The caller wakes the jobs after its commit.
 * @returns 'started', or why not
 */
export async function startCommandJob(
  tx: Tx,
  scope: OrganizationScope,
  actor: Actor,
  commandId: string,
  devices: readonly SelectedDevice[],
  now: Date,
): Promise<'started' | 'no_command' | 'too_many_jobs'> {
  const command = await findCommand(tx, scope, commandId);
  if (command === undefined) return 'no_command';
  if ((await countActive(tx, scope)) >= bulkJobs.MOST_ACTIVE_JOBS) return 'too_many_jobs';
  const action: StoredAction = { kind: 'command', command: command.id, name: command.name };
  const inserted = await insertJob(tx, scope, actor, { action, isUndo: false, source: null }, now);
  await addItems(tx, inserted, devices, true);
  const job = (await lockJob(tx, scope, inserted.id))!;
  await announce(tx, scope, 'jobs', [job.id]);
  await recordJob(tx, scope, actor, job, sentence('job.started', sentenceOf(action)), now);
  return 'started';
}

async function addChosen(tx: Tx, scope: Scope, job: OwnJob, ids: readonly string[], expiringDays: number, now: Date) {
  const found = await pageDevices(tx, scope, selected(scope, { devices: ids }, expiringDays, now), ids.length);
  if (found.length < ids.length) throw new DomainError('not_found', { field: 'selection.devices' });
  await addItems(tx, job, found, true);
}

/** Run the transaction that creates a job, and what follows its commit. */
async function begin(
  deps: BulkJobDeps,
  work: (tx: Tx, now: Date) => Promise<{ readonly id: string; readonly disconnected: readonly string[] }>,
): Promise<string> {
  const now = deps.clock.now();
  const { id, disconnected } = await untilStill(deps.database, (tx) => work(tx, now));
  if (disconnected.length > 0) deps.deviceLink.disconnect(disconnected, 'The device was deleted.');
  deps.wakeJobs();
  return id;
}

async function openJob(...[tx, scope, actor, job, now]: Parameters<typeof insertJob>): Promise<OwnJob> {
  // Those of others count as well.
  if ((await withoutLimit(tx, () => countActive(tx, scope))) >= bulkJobs.MOST_ACTIVE_JOBS) throw new DomainError('job.too_many');
  return insertJob(tx, scope, actor, job, now);
}

/**
 * Select the first devices. A change of one batch is done at once, in the same transaction; its log entry then says what changed. A
 * longer one has an entry now, and one for each batch.
 */
async function proceed(tx: Tx, deps: BulkJobDeps, scope: Scope, actor: Actor, inserted: OwnJob, action: AuditAction, now: Date) {
  await selectMore(tx, inserted, {}, deps.expiringDays);
  const job = (await lockJob(tx, scope, inserted.id))!;
  if (job.selection === null && job.total === 0) throw new DomainError('job.nothing_selected', { field: 'selection' });
  await announce(tx, scopeOfJob(scope, job), 'jobs', [job.id]);
  if (job.selection === null && job.total <= CHANGE_BATCH && isStoredChange(job))
    return { id: job.id, ...(await changeBatch(tx, job, {}, now)) };
  await recordJob(tx, scope, actor, job, action, now);
  return { id: job.id, disconnected: [] };
}

function scopeOfJob({ mainAccountId }: Scope, { organization_id: organizationId }: OwnJob): Scope {
  return organizationId === null ? { kind: 'main', mainAccountId } : { kind: 'organization', mainAccountId, organizationId };
}

/** @throws DomainError `permission.denied`, `key.not_allowed` */
function requireRights(actor: Actor, action: Parameters<typeof rightsOfJob>[0]): void {
  for (const right of rightsOfJob(action)) requireRight(actor, right);
}

async function getForChange(tx: Tx, scope: Scope, actor: Actor, id: string): Promise<OwnJob> {
  const job = required(isId(id) ? await lockJob(tx, scope, id) : undefined, 'job.not_found');
  requireRights(actor, job.action);
  return job;
}

async function lockEnded(tx: Tx, scope: Scope, actor: Actor, id: string): Promise<OwnJob> {
  const job = await getForChange(tx, scope, actor, id);
  if (job.ended_at === null) throw new DomainError('job.active');
  return job;
}

/** What a job that follows another one updates or deletes is approved as a whole, as that of any job. @param isUndo it restores former groups */
async function requireFollowerApproval(tx: Tx, former: OwnJob, source: FormerItems, isUndo: boolean): Promise<void> {
  const scope = scopeOf(former);
  if (scope.kind === 'organization') {
    await requireArrivalApproval(tx, scope, await listArrivals(tx, scope, former.action, source, isUndo));
    if (sendsSettings(former.action)) await requireSettingsApproval(tx, scope, devicesOfItems(scope, source));
  } else if (former.action.kind === 'remove' && former.action.list === 'organizations')
    await requireDeletionApproval(tx, scope, await findRows(tx, scope, 'organizations', await listFormerRows(tx, scope, source)));
}

const sendsSettings = (action: StoredAction) => action.kind === 'send' && action.order.kind === 'apply-settings';

/** What a job deletes piece by piece is approved as a whole. */
async function requireDeletionApproval(tx: Tx, owner: Scope, rows: readonly SelectedDevice[]): Promise<void> {
  const names = rows.map(({ serial }) => serial);
  const acts = [sentence('approval.act_delete', { terms: names })];
  const touches = rows.map(({ subject }) => subject ?? '').toSorted((one, other) => one.localeCompare(other));
  await requireApproval(tx, owner, { rule: 'deletion', acts, routers: 0, names: [], touches });
}

/** The scope in which the rows of a list are. @throws DomainError `request.org_required`, `request.invalid` */
function rowOwner(scope: Scope, list: bulkJobs.RowList): Scope {
  if (isListOfOrganization(list)) return organizationOf(scope);
  if (isListOfMain(list) && scope.kind === 'organization') throw new DomainError('request.invalid', { field: 'org' });
  return scope;
}

/** @throws DomainError `not_found` for an invalid id */
function readRows(list: bulkJobs.RowList, ids: readonly string[]): string[] {
  if (!hasUuids(list)) return [...new Set(list === 'groups' ? ids.map(normalizeGroupKey) : ids)];
  if (!ids.every(isId)) throw new DomainError('not_found', { field: 'selection.rows' });
  return [...new Set(ids.map((id) => id.toLowerCase()))];
}

/** @throws DomainError `not_found` for an invalid id */
function readSelection(selection: bulkJobs.DeviceSelection): bulkJobs.DeviceSelection {
  if ('filter' in selection) return selection;
  if (!selection.devices.every(isId)) throw new DomainError('not_found', { field: 'selection.devices' });
  return { devices: [...new Set(selection.devices.map((id) => id.toLowerCase()))] };
}

async function readAction(queries: Queries, scope: Scope, action: bulkJobs.DeviceAction): Promise<StoredAction> {
  switch (action.kind) {
    case 'move': {
      const { key, name } = await getGroup(queries, organizationOf(scope), action.group);
      return { kind: 'move', group: key, name };
    }
    case 'subscription':
      return { kind: 'subscription', ...readSubscription(action, {}) };
    case 'tags': {
      const { add = [], remove = [] } = action;
      rejectEmptyTags({ add, remove });
      return { kind: 'tags', add: await tagsAsInUse(queries, scope, add), remove: await tagsAsInUse(queries, scope, remove) };
    }
    case 'command': {
      const { id, name } = required(await findCommand(queries, organizationOf(scope), action.command), 'command.not_found');
      return { kind: 'command', command: id, name };
    }
    case 'send': {
      const { command, send: kind, argument, wait, window } = action;
      await rejectWindow(queries, organizationOf(scope), wait, window);
      return { kind: 'send', order: await readOrder(queries, organizationOf(scope), { command, kind, argument }), wait, window };
    }
    case 'delete':
      return action;
  }
}

function organizationOf(scope: Scope): OrganizationScope {
  if (scope.kind === 'main') throw new DomainError('request.org_required', { field: 'org' });
  return scope;
}

/** What the group of a move starts at once on the devices that join it. */
async function arrivalsOf(
  queries: Queries,
  scope: Scope,
  action: StoredAction,
  devices: Fragment,
): Promise<rollouts.Arrivals | null> {
  if (action.kind !== 'move') return null;
  const joining = sql`${devices} and d.group_key <> ${action.group}`;
  return arrivalImpact(queries, organizationOf(scope), action.group, joining);
}

/**
 * What is deleted is exactly what the user has seen. For anything else there are no more devices than that: vehicles of a filter by connection
 * come and go while the user reads.
 */
async function rejectChangedDevices(
  tx: Tx,
  scope: Scope,
  action: StoredAction,
  devices: Fragment,
  seen: string | undefined,
): Promise<void> {
  // Of an approved call the second person has seen all that it touches.
  if (seen === undefined || isApproved()) return;
  const counts = await countSelected(rowsOf(tx), scope, devices, action);
  const isSame = action.kind === 'delete' ? counts.confirmation === seen : counts.devices <= Number(seen.split('-', 1)[0]);
  if (isSame) return;
  const detail: bulkJobs.JobPreview = { ...counts, arrivals: await arrivalsOf(tx, scope, action, devices) };
  throw new DomainError('impact.changed', { field: 'selection', detail });
}

async function rejectChangedArrivals(
  tx: Tx,
  scope: Scope,
  action: StoredAction,
  devices: Fragment,
  confirmed: string | undefined,
): Promise<void> {
  if (confirmed === undefined) return;
  const impact = await arrivalsOf(tx, scope, action, devices);
  if (impact !== null && impact.confirmation !== confirmed)
    throw new DomainError('impact.changed', { field: 'action.group', detail: impact });
}

/** The devices of deleted groups return to the default group: compare what it starts on them with what the user has seen. */
async function rejectChangedReturn(tx: Tx, owner: OrganizationScope, keys: readonly string[], confirmed: string | undefined) {
  if (confirmed === undefined) return;
  const returning = sql`${devicesOf(owner)} and d.group_key = any (${[...keys]}::text[])`;
  const impact = await arrivalImpact(tx, owner, DEFAULT_GROUP_KEY, returning);
  if (impact.confirmation !== confirmed) throw new DomainError('impact.changed', { field: 'selection.rows', detail: impact });
}
