import { setTimeout as delay } from 'node:timers/promises';
import { settingFaults, writeFaults, type NamedFault, type routerSettings } from '@highline/contract';
import { isUnreachable, type Database, type DeviceLink, type OperationOutcome } from '../../platform/ports/index.ts';
import type { Clock } from '../../platform/ports/clock.ts';
import { DomainError } from '../../kernel/failure.ts';
import { openedOrNone, type Sealing } from '../../kernel/sealing.ts';
import {
  compareSettings,
  findLeftovers,
  pathsToRead,
  pathsToWatch,
  planChanges,
  planNames,
  toReport,
  worstState,
  type Comparison,
} from './compare.ts';
import type { OwnChanges } from './own-changes.ts';
import { applySteps, pathsOf, setOnRouter, type Sent, type Trial } from './apply-steps.ts';
import { deleteState } from './desired.job.queries.ts';
import { secretsOf, settingsOf, type DesiredRow } from './settings.rows.ts';
import type { SettingsStates } from './settings-states.ts';

export interface RouterCheckDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly deviceLink: Pick<DeviceLink, 'isConnected' | 'readValues' | 'operate'>;
  readonly settingSealing: Sealing;
  readonly settingsStates: SettingsStates;
  readonly ownChanges: OwnChanges;
}

/** An answer to a request of settings, which may be many. */
const RESPONSE_MS = 20_000;

/**
 * Read a router, compare it with what is set for its device, and store the result (TPL-05).
 * @throws DomainError `router.not_connected`, `router.no_answer`
 */
export async function checkRouter(deps: RouterCheckDeps, row: DesiredRow): Promise<readonly Comparison[]> {
  return (await readAndStore(deps, row, { accepted: new Set(), rejected: new Map() })).comparisons;
}

/**
 * Change what differs on a router: all at once where it takes that, else one by one; what can cut it off last, and nothing at all when it
 * rejects a part. Then it is read again, since an answer is no proof. Sent again, it changes what still differs (TPL-02).
 * @throws DomainError `router.not_connected`, `router.no_answer`
 */
export async function applyToRouter(
  deps: RouterCheckDeps,
  routerId: string,
  command: string,
): Promise<SettingsFault | undefined> {
  const row = await deps.settingsStates.find(routerId);
  if (row === undefined) return undefined;
  const secrets = openedOrNone(() => secretsOf(deps.settingSealing, row));
  if (secrets === undefined) return UNREADABLE;
  const { comparisons, leftovers, reported } = await compareNow(deps, row, undefined);
  for (const name of planNames(comparisons, reported))
    // oxlint-disable-next-line no-await-in-loop -- one request after another; a router that does not take names is found by order
    await setOnRouter(deps.deviceLink, routerId, [name]);
  const valueOf = ({ isSealed, desired, state, tried }: Comparison) => {
    // This command has sent it already, also where the answer was lost, and the router returned from it.
    if (state === 'returned' && tried === command) return undefined;
    return isSealed ? secrets.get(desired) : desired;
  };
  const toDelete = leftovers.filter(({ tried }) => tried !== command);
  const steps = planChanges(comparisons, toDelete, valueOf);
  const cutting = new Set([
    ...comparisons.flatMap(({ setting: { path, canCut } }) => (canCut === true ? [path] : [])),
    ...leftovers.flatMap(({ path, canCut }) => (canCut ? [path] : [])),
  ]);
  deps.ownChanges.note(routerId, steps.flat());
  const trial = createTrial(cutting, (tried) => storeTrial(deps, row, { comparisons, leftovers, tried }, command));
  const sent = await applySteps(deps.deviceLink, routerId, steps, reported, trial);
  if ([...sent.accepted].some((path) => cutting.has(path))) await requireConnection(deps.deviceLink, routerId);
  return faultOf(await readAndStore(deps, row, sent, command), command);
}

/** A router whose path to us changes connects again within this time. */
const RECONNECT_MS = 3_000;
const LOOK_MS = 100;

/** With a new path to us the router connects again, or returns to its former values: the command goes on when it is back. @throws DomainError `router.not_connected` */
async function requireConnection(link: RouterCheckDeps['deviceLink'], routerId: string): Promise<void> {
  for (let waited = 0; waited < RECONNECT_MS; waited += LOOK_MS) {
    if (!link.isConnected(routerId)) throw new DomainError('router.not_connected');
    // oxlint-disable-next-line no-await-in-loop -- a router that leaves is seen at once
    await delay(LOOK_MS);
  }
}

/** @param cutting paths of what can cut the router off @param store called with those of them that the router may have */
function createTrial(cutting: ReadonlySet<string>, store: (tried: ReadonlySet<string>) => Promise<void>): Trial {
  const tried = new Set<string>();
  const note = async (changes: Parameters<Trial['begin']>[0], change: (path: string) => unknown) => {
    const paths = changes.flatMap((each) => pathsOf(each)).filter((path) => cutting.has(path));
    for (const path of paths) change(path);
    if (paths.length > 0) await store(tried);
  };
  return {
    begin: (changes) => note(changes, (path) => tried.add(path)),
    cancel: (changes) => note(changes, (path) => tried.delete(path)),
  };
}

/** What may cut the router off is known before it is sent: its answer may be lost with the connection. */
async function storeTrial(
  deps: RouterCheckDeps,
  row: DesiredRow,
  { comparisons, leftovers, tried }: Compared & { readonly tried: ReadonlySet<string> },
  command: string,
): Promise<void> {
  const mark = <Each extends object>(each: Each, path: string) => (tried.has(path) ? { ...each, tried: command } : each);
  const { organizationId, mainAccountId, deviceId, routerId } = row;
  const content = toReport(
    comparisons.map((each) => mark(each, each.setting.path)),
    leftovers.map((each) => mark(each, each.path)),
  );
  await deps.settingsStates.store({ organizationId, mainAccountId, deviceId, routerId, state: 'differs', content });
}

/** Why settings are not in force on a router. */
export interface SettingsFault {
  readonly reason: 'settings-rejected' | 'settings-differ' | 'settings-returned';
  /** Paths of the settings, and what the router said. */
  readonly detail: string;
}

/** The master key is another one than that of the secrets. */
const UNREADABLE: SettingsFault = { reason: 'settings-rejected', detail: 'A stored secret cannot be opened. Enter it again.' };

/** The same as the outcome of a command. */
export function toOutcome(fault: SettingsFault | undefined): OperationOutcome {
  if (fault === undefined) return { type: 'done', outputs: new Map() };
  return { type: 'failed', cause: 'rejected', code: null, message: fault.detail };
}

async function compareNow({ clock, deviceLink, settingSealing }: RouterCheckDeps, row: DesiredRow, sent: Sent | undefined) {
  const settings = settingsOf(row);
  const [before, now] = [row.report ?? {}, clock.now()];
  const paths = pathsToRead(settings, before);
  const reported = paths.length === 0 ? new Map<string, string>() : await deviceLink.readValues(row.routerId, paths, RESPONSE_MS);
  let secrets: ReadonlyMap<string, string> | undefined;
  const secretOf = (id: string) => (secrets ??= openedOrNone(() => secretsOf(settingSealing, row)) ?? new Map()).get(id);
  const comparisons = compareSettings(settings, reported, {
    before,
    secretOf,
    now,
    ...sent,
  });
  return { comparisons, reported, leftovers: findLeftovers(settings, reported, { before, now }) };
}

type Compared = Pick<Awaited<ReturnType<typeof compareNow>>, 'comparisons' | 'leftovers'>;

/** @param command that ends now: what it sent is there, or the router returned from it */
async function readAndStore(deps: RouterCheckDeps, row: DesiredRow, sent: Sent, command?: string): Promise<Compared> {
  const { comparisons: found, leftovers } = await compareNow(deps, row, sent);
  const comparisons = found.map((each) =>
    each.tried === command && each.state !== 'returned' ? { ...each, tried: undefined } : each,
  );
  const state = worstState([...comparisons.map((each) => each.state), ...leftovers.map(() => 'differs' as const)]);
  const { organizationId, mainAccountId, deviceId, routerId } = row;
  if (state === undefined || state === 'not-sent') await deps.database.write((tx) => deleteState(tx, row));
  else
    await deps.settingsStates.store({
      organizationId,
      mainAccountId,
      deviceId,
      routerId,
      state,
      content: toReport(comparisons, leftovers),
      // A command knows what was accepted just now; a comparison that began before does not.
      after: command === undefined ? row.checkedAt : undefined,
    });
  await watchChanges(deps, routerId, comparisons);
  return { comparisons, leftovers };
}

/** Have the router report changes; one that is gone meanwhile is read again when it connects. */
async function watchChanges(
  { deviceLink }: RouterCheckDeps,
  routerId: string,
  comparisons: readonly Comparison[],
): Promise<void> {
  try {
    await deviceLink.operate(routerId, { type: 'watch-values', paths: pathsToWatch(comparisons) }, { timeoutMs: RESPONSE_MS });
  } catch (error) {
    if (!isUnreachable(error)) throw error;
  }
}

/** @param message what has no value, the value, or what the router said */
function faultOfValue({ path, state, message = '' }: Otherwise): NamedFault | string {
  const fault = settingFaults.find((each) => each === state);
  return fault === undefined ? `${path}: ${message}` : { path, fault, of: message };
}

/** A setting or an entry that is not as it should be. */
interface Otherwise extends Pick<Comparison, 'state' | 'message'> {
  readonly path: string;
}

/** What was rejected is why others were set back. */
const faults: readonly (readonly [SettingsFault['reason'], readonly routerSettings.ValueState[]])[] = [
  ['settings-rejected', ['rejected']],
  ['settings-returned', ['returned']],
  ['settings-differ', ['differs', 'no-value', 'invalid']],
];
/** Settings that a message names. */
const MOST_NAMED = 3;

/** An apply succeeded when nothing that the router has is otherwise. */
function faultOf({ comparisons, leftovers }: Compared, command: string): SettingsFault | undefined {
  const all: readonly Otherwise[] = [
    ...comparisons.map(({ setting: { path }, state, message }) => ({ path, state, message })),
    ...leftovers.flatMap(({ path, tried }) => (tried === command ? [{ path, state: 'returned' as const }] : [])),
  ];
  for (const [reason, states] of faults) {
    const found = all.filter(({ state }) => states.includes(state));
    if (found.length === 0) continue;
    const named = found.slice(0, MOST_NAMED).map((each) => faultOfValue(each));
    return { reason, detail: writeFaults([...named, ...(found.length > MOST_NAMED ? [`+${found.length - MOST_NAMED}`] : [])]) };
  }
  return undefined;
}
