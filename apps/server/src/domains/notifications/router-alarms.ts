import { createHash } from 'node:crypto';
import { announce } from '../../platform/outbox/announce.ts';
import type { Database, Tx } from '../../platform/ports/database.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import { Attempts, isRejection } from '../../platform/retry/attempts.ts';
import { recordRouterEvents, type RouterEvent, type RouterAlarm } from '../router-state/index.ts';
import { raise, type Happening, type HappeningEvent } from './events.store.ts';
import { nameOfDevice } from './notification.mail.ts';
import { eventOf, stateOf, type Report, ON, PASSWORD, RESET } from './router-alarm-events.ts';
import {
  findStates,
  findStatesAndOwners,
  putStates,
  type AlarmState,
  type OwnedState,
  type Owner,
} from './router-alarms.store.ts';

interface Waiting extends Report {
  resolve(): void;
  reject(error: unknown): void;
}

/** Accepts reports of routers; each promise resolves when the report is committed. */
export interface RouterAlarms {
  recordReport(routerId: string, report: RouterAlarm): Promise<void>;
  /** The router has started. @param notification the raw message, identical at every repetition */
  booted(routerId: string, wasReset: boolean, notification: Uint8Array): Promise<void>;
  /** The router lost our subscriptions, for example after a factory reset. */
  lostSubscriptions(routerId: string, at: Date): Promise<void>;
  /** Try once to write the waiting reports. */
  stop(): Promise<void>;
}

export type RouterAlarmsDeps = Pick<Deps, 'database' | 'clock' | 'log'>;

/** The most reports written together. */
const MOST = 500;

const MINUTE_MS = 60_000;

/** Collects router reports in batches; each is processed and committed with its batch. */
export function createRouterAlarms({ database, clock, log }: RouterAlarmsDeps): RouterAlarms {
  const waiting: Waiting[] = [];
  const attempts = new Attempts();
  let isStopping = false;
  let running: Promise<void> | undefined;

  const write = async (batch: readonly Waiting[]) => {
    await keepAlarms(database, batch, clock.now());
    for (const { resolve } of batch) resolve();
  };

  /** Retries until it is written: a router repeats an unacknowledged report only after a long time. */
  const writeBatch = (batch: readonly Waiting[]): Promise<void> =>
    attempts.run(
      () => write(batch),
      async (fault) => {
        if (!isStopping && !isRejection(fault)) {
          log.warn({ err: fault, reports: batch.length }, 'Failed to write router reports; they will be retried.');
          return false;
        }
        if (isStopping || batch.length === 1) for (const { reject } of batch) reject(fault);
        // A batch that the database itself rejects is split, so that one bad report does not block the others.
        else for (const one of batch) await writeBatch([one]);
        return true;
      },
    );

  /**
   * The first one is written at once; those that arrive meanwhile are written together: ten thousand routers that reconnect are
   * some twenty statements.
   */
  const run = async () => {
    while (waiting.length > 0) await writeBatch(waiting.splice(0, MOST));
    running = undefined;
  };

  const keep = (routerId: string, alarm: string, state: string) =>
    new Promise<void>((resolve, reject) => {
      waiting.push({ routerId, alarm, state, resolve, reject });
      running ??= run();
    });

  return {
    recordReport: (routerId, one) => keep(routerId, one.kind, one.kind === PASSWORD ? one.at : one.isOn ? ON : OFF),
    booted(routerId, wasReset, notification) {
      if (!wasReset) return keep(routerId, START, ORDINARY);
      return keep(routerId, START, `${RESET} ${createHash('sha256').update(notification).digest('base64url')}`);
    },
    lostSubscriptions: (routerId, at) => keep(routerId, START, `${DETECTED} ${at.toISOString()}`),
    async stop() {
      isStopping = true;
      attempts.wake();
      await running;
    },
  };
}

const OFF = 'off';

const START = 'start';
const ORDINARY = 'ordinary';

/** A reset that the router did not report: it lost our subscriptions. */
const DETECTED = `${RESET} detected`;
/** A detected reset and the Boot! that reports it are one. */
const SAME_RESET_MS = 600_000;

const UNSAID: Readonly<Record<string, string>> = { 'battery-low': OFF, 'thermal-protection': OFF, [START]: ORDINARY };

/** The stored state of a router, with defaults if it reported nothing yet; its password state is unknown then. */
function currentState(states: ReadonlyMap<string, string>, report: Report): string | undefined {
  return states.get(keyOf(report)) ?? UNSAID[report.alarm];
}

/** Most reports are already stored: that is checked without a transaction. */
async function keepAlarms(database: Database, reports: readonly Report[], now: Date): Promise<void> {
  const stands = statesOf(await findStates(database.read, routersOf(reports)));
  if (reports.every((one) => currentState(stands, one) === one.state)) return;
  await database.write((tx) => writeAlarms(tx, reports, now));
}

async function writeAlarms(tx: Tx, reports: readonly Report[], now: Date): Promise<void> {
  const { states, owners } = await findStatesAndOwners(tx, routersOf(reports));
  const stands = statesOf(states);
  const since = new Map(states.map((state) => [keyOf(state), state.changedAt]));
  const changed = new Map<string, OwnedState>();
  const happened = new Map<string, ReportedChange>();
  for (const one of reports) {
    const owner = owners.get(one.routerId);
    // A report of an unclaimed router notifies no one.
    if (owner === undefined) continue;
    const before = currentState(stands, one);
    if (before === one.state) continue;
    stands.set(keyOf(one), one.state);
    changed.set(keyOf(one), { ...one, deviceId: owner.device_id });
    const event = isSameReset(one, before, since.get(keyOf(one)), now) ? undefined : eventOf(one, before);
    since.set(keyOf(one), now);
    if (event === undefined) continue;
    // Repetitions of one router within a minute are one event with a count.
    const key = `${event} ${one.routerId} ${Math.floor(now.getTime() / MINUTE_MS)}`;
    const times = (happened.get(key)?.happening.times ?? 0) + 1;
    happened.set(key, { owner, happening: { ...happeningOf(event, owner), key, times } });
  }
  await putStates(tx, [...changed.values()], now);
  await raiseChanges(tx, [...happened.values()], now);
}

interface ReportedChange {
  readonly owner: Owner;
  readonly happening: Happening;
}

function happeningOf(event: HappeningEvent, owner: Owner): Happening {
  return { event, groupKey: owner.group_key, detail: { what: [nameOfDevice(owner)], count: 1, id: owner.device_id } };
}

/** Write the events on the timelines of the routers, raise them in each organization, and notify the consoles. */
async function raiseChanges(tx: Tx, happened: readonly ReportedChange[], now: Date): Promise<void> {
  const items = happened.map(({ owner: { router_id: routerId }, happening: { event } }): RouterEvent => {
    return { routerId, kind: 'alarm', subject: event, state: stateOf(event) };
  });
  await recordRouterEvents(tx, items, now);
  for (const [organizationId, changes] of Map.groupBy(happened, ({ owner }) => owner.organization_id)) {
    const scope = { kind: 'organization', mainAccountId: changes[0]!.owner.main_account_id, organizationId } as const;
    await announce(tx, scope, 'devices', [...new Set(changes.map(({ owner }) => owner.device_id))]);
    await raise(
      tx,
      scope,
      changes.map(({ happening }) => happening),
      now,
    );
  }
}

/** Whether a reset was already raised: a reset can arrive as a Boot! and as lost subscriptions. */
function isSameReset({ state }: Report, before: string | undefined, since: Date | undefined, now: Date): boolean {
  if (since === undefined || before?.startsWith(RESET) !== true || !state.startsWith(RESET)) return false;
  const isDetected = state.startsWith(DETECTED) || before.startsWith(DETECTED);
  return isDetected && now.getTime() - since.getTime() < SAME_RESET_MS;
}

const keyOf = ({ routerId, alarm }: Pick<Report, 'routerId' | 'alarm'>) => `${routerId} ${alarm}`;
const routersOf = (reports: readonly Report[]) => [...new Set(reports.map(({ routerId }) => routerId))];
const statesOf = (states: readonly AlarmState[]) => new Map(states.map((one) => [keyOf(one), one.state]));
