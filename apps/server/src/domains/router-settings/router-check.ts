import { announce } from '../../platform/outbox/announce.ts';
import type { Database, DeviceLink, OperationOutcome } from '../../platform/ports/index.ts';
import type { Clock } from '../../platform/ports/clock.ts';
import { openedOrNone, type Sealing } from '../../kernel/sealing.ts';
import {
  compareSettings,
  pathsToRead,
  planNames,
  planSets,
  toReport,
  worstState,
  type Comparison,
  type PlannedSet,
} from './compare.ts';
import { deleteState, findDesired, storeState } from './desired.job.queries.ts';
import { secretsOf, settingsOf, type DesiredRow } from './settings.rows.ts';

export interface RouterCheckDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly deviceLink: Pick<DeviceLink, 'readValues' | 'operate'>;
  readonly settingSealing: Sealing;
}

/** An answer to a request of settings, which may be many. */
const RESPONSE_MS = 20_000;

/** What a router accepted and rejected just now, by path. */
interface Sent {
  readonly accepted: Set<string>;
  readonly rejected: Map<string, string>;
}

/**
 * Read a router, compare it with what is set for its device, and store the result (TPL-05).
 * @throws DomainError `router.not_connected`, `router.no_answer`
 */
export async function checkRouter(deps: RouterCheckDeps, row: DesiredRow): Promise<readonly Comparison[]> {
  return readAndStore(deps, row, { accepted: new Set(), rejected: new Map() });
}

/**
 * Set what differs on a router: all at once where it takes that, else one by one; what can cut it off last. Then it is read again, since an
 * answer is no proof. Sent again, it sets what still differs (TPL-02).
 * @throws DomainError `router.not_connected`, `router.no_answer`
 */
export async function applyToRouter(deps: RouterCheckDeps, routerId: string): Promise<OperationOutcome> {
  const [row] = await findDesired(deps.database.read, [routerId]);
  if (row === undefined) return DONE;
  const secrets = openedOrNone(() => secretsOf(deps.settingSealing, row));
  if (secrets === undefined) return UNREADABLE;
  const { comparisons, reported } = await compareNow(deps, row, undefined);
  for (const name of planNames(comparisons, reported))
    // oxlint-disable-next-line no-await-in-loop -- one request after another; a router that does not take names is found by order
    await setOnRouter(deps, routerId, [name]);
  const sent: Sent = { accepted: new Set(), rejected: new Map() };
  const valueOf = ({ setting, desired }: Comparison) => (setting.isSecret === true ? secrets.get(desired) : desired);
  for (const step of planSets(comparisons, valueOf)) {
    // oxlint-disable-next-line no-await-in-loop -- what can cut the router off comes last
    await sendStep(deps, routerId, step, sent);
    if (sent.rejected.size > 0) break;
  }
  return outcomeOf(await readAndStore(deps, row, sent));
}

const DONE: OperationOutcome = { type: 'done', outputs: new Map() };
/** The master key is another one than that of the secrets. */
const UNREADABLE: OperationOutcome = {
  type: 'failed',
  cause: 'rejected',
  code: null,
  message: 'A stored secret cannot be opened. Enter it again.',
};

/** One request for all; where the router rejects that, one for each, so that each has its own result. */
async function sendStep(
  deps: RouterCheckDeps,
  routerId: string,
  step: readonly PlannedSet[],
  { accepted, rejected }: Sent,
): Promise<void> {
  const together = await setOnRouter(deps, routerId, step);
  if (together === undefined) {
    for (const { path } of step) accepted.add(path);
    return;
  }
  if (step.length === 1) {
    rejected.set(step[0]!.path, together);
    return;
  }
  for (const each of step) {
    // oxlint-disable-next-line no-await-in-loop -- one request after another
    const message = await setOnRouter(deps, routerId, [each]);
    if (message === undefined) accepted.add(each.path);
    else rejected.set(each.path, message);
  }
}

/** @returns the router's message when it rejected this */
async function setOnRouter(
  { deviceLink }: RouterCheckDeps,
  routerId: string,
  sets: readonly PlannedSet[],
): Promise<string | undefined> {
  const objects = Array.from(
    Map.groupBy(sets, ({ object }) => object),
    ([object, own]) => ({ object, values: new Map(own.map(({ parameter, value }) => [parameter, value])) }),
  );
  const outcome = await deviceLink.operate(routerId, { type: 'set-objects', objects }, { timeoutMs: RESPONSE_MS });
  return outcome.type === 'failed' ? outcome.message : undefined;
}

async function compareNow({ clock, deviceLink, settingSealing }: RouterCheckDeps, row: DesiredRow, sent: Sent | undefined) {
  const settings = settingsOf(row);
  const reported =
    settings.length === 0
      ? new Map<string, string>()
      : await deviceLink.readValues(row.routerId, pathsToRead(settings), RESPONSE_MS);
  let secrets: ReadonlyMap<string, string> | undefined;
  const secretOf = (id: string) => (secrets ??= openedOrNone(() => secretsOf(settingSealing, row)) ?? new Map()).get(id);
  const comparisons = compareSettings(settings, reported, {
    before: row.report ?? {},
    secretOf,
    now: clock.now(),
    ...sent,
  });
  return { comparisons, reported };
}

async function readAndStore(deps: RouterCheckDeps, row: DesiredRow, sent: Sent): Promise<readonly Comparison[]> {
  const { comparisons } = await compareNow(deps, row, sent);
  const state = worstState(comparisons.map((each) => each.state));
  const { organizationId, mainAccountId, deviceId, routerId } = row;
  await deps.database.write(async (tx) => {
    if (state === undefined || state === 'not-sent') return deleteState(tx, row);
    const hasChanged = await storeState(
      tx,
      { organizationId, deviceId, routerId, state, content: toReport(comparisons) },
      deps.clock.now(),
    );
    if (hasChanged) await announce(tx, { kind: 'organization', organizationId, mainAccountId }, 'settings', [deviceId]);
  });
  return comparisons;
}

/** An apply succeeded when nothing that the router has is otherwise. */
function outcomeOf(comparisons: readonly Comparison[]): OperationOutcome {
  const first = comparisons.find(({ state }) => ['differs', 'rejected', 'no-value', 'invalid'].includes(state));
  if (first === undefined) return DONE;
  const { setting, state, message = '' } = first;
  return {
    type: 'failed',
    cause: 'rejected',
    code: null,
    message: `${setting.path}: ${state === 'differs' ? 'not changed' : message}`,
  };
}
