import { alerts } from '@highline/contract';
import { DomainError, type OrganizationScope } from '../../kernel/index.ts';
import type { Job } from '../../platform/jobs/runner.ts';
import type { Fragment } from '../../platform/listing/index.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Database, Tx } from '../../platform/ports/database.ts';
import { devicesOfView } from '../views/index.ts';
import { endOutOfScope, listFiredOutside, listFiredViews, takeEnded } from './fired-states.job.queries.ts';
import {
  compareDevices,
  endOutdated,
  linkAlerts,
  lockComparison,
  listDueIn,
  findWork,
  listKindsInUse,
  listDueViews,
  MOST_VIEWS,
  postpone,
  purgeChanges,
  takeDue,
  type DeviceKindName,
  type DueState,
  type WatchedView,
} from './alert-states.job.queries.ts';
import { runTests, syncTests, type TestJobDeps } from './alert-tests.job.ts';
import { actOnAlerts, type ActionJobDeps } from './alert-actions.job.ts';
import { deleteOldActions, insertActions } from './alert-actions.job.queries.ts';
import { deleteOldBursts } from './alert-bursts.job.queries.ts';
import { insertEnded, insertNotices } from './alert-messages.job.queries.ts';
import { deliverChanged, deliverToIncidents } from './alert.events.ts';
import { sendMessages, type MessageDeps } from './alert-messages.job.ts';
import { byOrganization, deleteResolved, insertAlerts, resolveAlerts, type ChangedAlert } from './alerts.job.queries.ts';
import { isWithin, nextStart } from './hours.ts';
import { deviceKinds } from './kinds.job.queries.ts';
import { reportWaitingSettings } from './waiting-settings.job.ts';

export type AlertJobDeps = Pick<Deps, 'database' | 'clock' | 'reader' | 'expiringDays' | 'log'>;
type JobDeps = AlertJobDeps & MessageDeps & ActionJobDeps & TestJobDeps;

/** Alerts of one transaction. */
const BATCH = 1_000;
const EVERY_MS = 1_000;
const COMPARE_EVERY_MS = 10_000;
const SETTINGS_EVERY_MS = 600_000;
const RETENTION_EVERY_MS = 3_600_000;
/** How soon a device that is not in a view, or of which it is unknown whether it is online, is looked at again. */
const AGAIN_MS = 60_000;
/** Anyone's shared views. */
const anyone = { accountId: '00000000-0000-0000-0000-000000000000' };

/**
 * The jobs of alerts (ALR-04). Conditions and their times are rows, so that a process that was killed leaves nothing undone: the next
 * run, of any process, continues.
 */
export function alertJobs(deps: JobDeps): Job[] {
  const { database } = deps;
  return [
    { name: 'alerts: fire and resolve', everyMs: EVERY_MS, run: (now) => fireAndResolve(deps, now) },
    { name: 'alerts: messages', everyMs: 2 * EVERY_MS, run: (now) => sendMessages(deps, now) },
    { name: 'alerts: actions', everyMs: 2 * EVERY_MS, run: (now) => actOnAlerts(deps, now) },
    { name: 'alerts: tests', everyMs: 2 * EVERY_MS, run: (now) => runTests(deps, now) },
    { name: 'alerts: tested devices', everyMs: 3 * COMPARE_EVERY_MS, isShared: true, run: (now) => syncTests(database, now) },
    {
      name: 'alerts: rollouts of settings that wait',
      everyMs: SETTINGS_EVERY_MS,
      isShared: true,
      run: (now) => reportWaitingSettings(deps, now),
    },
    { name: 'alerts: compare', everyMs: COMPARE_EVERY_MS, isShared: true, run: (now) => compareEverything(deps, now) },
    { name: 'alerts: retention', everyMs: RETENTION_EVERY_MS, run: (now) => purgeAlerts(database, now) },
  ];
}

/**
 * Compare every device with the rules: those that were there before a rule, and what is stored nowhere in particular. A kind that fails delays no other.
 * @throws AggregateError naming the kinds that failed
 */
export async function compareAll(database: Database, now: Date): Promise<void> {
  const inUse = await listKindsInUse(database.read);
  const kinds = (Object.keys(deviceKinds) as DeviceKindName[]).filter((each) => inUse.has(each));
  const failures: Error[] = [];
  const compare = async (name: string, work: (tx: Tx) => Promise<void>) => {
    try {
      await database.write(async (tx) => {
        if (await lockComparison(tx)) await work(tx);
      });
    } catch (error) {
      failures.push(new Error(`Comparing ${name} failed.`, { cause: error }));
    }
  };
  for (const kind of kinds) await compare(kind, (tx) => compareDevices(tx, kind, now));
  await compare('what is outdated', (tx) => endOutdated(tx, now));
  if (failures.length > 0) throw new AggregateError(failures, failures.map(({ message }) => message).join(' '));
}

async function compareEverything(deps: JobDeps, now: Date): Promise<void> {
  try {
    await compareAll(deps.database, now);
  } finally {
    await endOutOfViews(deps, now);
  }
}

/** End the fired states of devices that are no longer in the view that their rule watches: an alert is about a device of the view. */
export async function endOutOfViews(deps: AlertJobDeps, now: Date): Promise<void> {
  const { database, reader } = deps;
  const list = (after: WatchedView | undefined) => listFiredViews(database.read, after);
  await forEachView(deps, list, now, async ({ organization_id: organizationId, view }, devices) => {
    const gone = await listFiredOutside(reader, organizationId, view, devices);
    if (gone.length > 0) await database.write((tx) => endOutOfScope(tx, organizationId, view, gone, now));
  });
}

/**
 * Look at the devices of each view of a list, page by page. One that fails is left out, and delays no other.
 * @param look devices undefined = it has none
 */
async function forEachView(
  { reader, expiringDays, log }: AlertJobDeps,
  list: (after: WatchedView | undefined) => Promise<WatchedView[]>,
  now: Date,
  look: (view: WatchedView, devices: Fragment | undefined) => Promise<void>,
): Promise<void> {
  let page = await list(undefined);
  while (page.length > 0) {
    for (const each of page) {
      const { main_account_id: mainAccountId, organization_id: organizationId, view } = each;
      const scope: OrganizationScope = { kind: 'organization', mainAccountId, organizationId };
      try {
        await look(each, await devicesOfView({ reader }, scope, anyone, view, { expiringDays, at: now }).catch(withoutView));
      } catch (error) {
        log.warn({ err: error, organization: organizationId, view }, 'Failed to look at the devices of a view for alert rules.');
      }
    }
    page = page.length < MOST_VIEWS ? [] : await list(page.at(-1));
  }
}

/** A view that was deleted, or is shared no longer, has no devices. After any other failure its devices are unknown. */
function withoutView(error: unknown): undefined {
  if (error instanceof DomainError) return undefined;
  throw error;
}

/** Resolve what has ended, and fire what is due; each batch is one transaction with its events for the consoles. */
export async function fireAndResolve(deps: AlertJobDeps, now: Date): Promise<void> {
  const { isEnded, isDue } = await findWork(deps.database.read, now);
  if (isEnded) while ((await deps.database.write((tx) => resolveSome(tx, now))) === BATCH);
  if (!isDue) return;
  const views = await readDueViews(deps, now);
  while ((await deps.database.write((tx) => fireSome(tx, views, now))) === BATCH);
}

async function resolveSome(tx: Tx, now: Date): Promise<number> {
  const ended = await takeEnded(tx, BATCH);
  const fired = ended.filter(({ alert_id: id }) => id !== null);
  if (fired.length > 0) {
    const resolved = await resolveAlerts(tx, fired, now);
    await announceAlerts(tx, resolved);
    await deliverChanged(tx, 'alert.resolved', resolved, now);
    await deliverToIncidents(tx, 'alert.resolved', resolved, now);
    await insertEnded(tx, resolved, now);
  }
  return ended.length;
}

/** Which of a view's devices are to be looked at; by organization and view. The states of a view that failed are postponed. */
type DueViews = ReadonlyMap<string, ReadonlySet<string>>;

async function fireSome(tx: Tx, views: DueViews, now: Date): Promise<number> {
  const due = await takeDue(tx, now, BATCH);
  const waiting = due.map((state) => ({ ...state, until: postponedUntil(state, views, now) }));
  await postpone(
    tx,
    waiting.flatMap(({ until, ...state }) => (until === undefined ? [] : [{ ...state, until }])),
  );
  const firing = waiting.flatMap(({ until, ...state }) => (until === undefined ? [state] : []));
  if (firing.length > 0) {
    const fired = await insertAlerts(tx, firing, now);
    await linkAlerts(tx, firing);
    await insertNotices(tx, fired, now);
    await insertActions(tx, fired, now);
    await announceAlerts(tx, fired);
    await deliverChanged(tx, 'alert.fired', fired, now);
  }
  return due.length;
}

/** When a due state is looked at again; undefined = it fires now. */
function postponedUntil({ kind, presence, hours, ...state }: DueState, views: DueViews, now: Date): Date | undefined {
  if (hours !== null && !isWithin(hours, now)) return nextStart(hours, now);
  const isOutOfView = state.scope_kind === 'view' && views.get(viewKey(state))?.has(state.device_id) !== true;
  const isUncertain = kind === 'offline' && presence !== 'offline';
  return isOutOfView || isUncertain ? new Date(now.getTime() + AGAIN_MS) : undefined;
}

const viewKey = (rule: { readonly organization_id: string; readonly scope_key: string | null }) =>
  `${rule.organization_id} ${rule.scope_key}`;

async function readDueViews(deps: AlertJobDeps, now: Date): Promise<DueViews> {
  const { database, reader } = deps;
  const found = new Map<string, ReadonlySet<string>>();
  const list = (after: WatchedView | undefined) => listDueViews(database.read, now, after);
  await forEachView(deps, list, now, async ({ organization_id: organizationId, view }, devices) => {
    if (devices === undefined) return;
    const ids = await listDueIn(reader, organizationId, devices, now);
    found.set(viewKey({ organization_id: organizationId, scope_key: view }), new Set(ids));
  });
  return found;
}

/** One event for each organization, however many of its alerts changed. */
async function announceAlerts(tx: Tx, changed: readonly ChangedAlert[]): Promise<void> {
  for (const [scope, ids] of byOrganization(changed)) await announce(tx, scope, 'alerts', ids);
}

/** Delete resolved alerts when their time is over (retention). */
export async function purgeAlerts(database: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - alerts.ALERT_DAYS * 86_400_000);
  while ((await database.write((tx) => deleteResolved(tx, before, BATCH))) === BATCH);
  while ((await database.write((tx) => deleteOldActions(tx, before, BATCH))) === BATCH);
  await database.write((tx) => deleteOldBursts(tx, now));
  await database.write((tx) => purgeChanges(tx));
}
