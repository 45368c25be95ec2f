import {
  isNotConnected,
  type DeviceLink,
  type ObjectValues,
  type OperationOutcome,
  type RouterOperation,
} from '../../platform/ports/index.ts';
import type { PlannedAdd, PlannedChange, PlannedDelete, PlannedSet } from './compare.ts';
import type { Reported } from './locate.ts';

/** What a router accepted and rejected just now, by path. */
export interface Sent {
  readonly accepted: Set<string>;
  readonly rejected: Map<string, string>;
}

/** Notes which changes a router may have, also where its answer is lost. */
export interface Trial {
  /** Before a request is sent. @param changes those of this request alone */
  begin(changes: readonly PlannedChange[]): Promise<void>;
  /** The router has none of these changes: the request was not sent, or the router rejected it. */
  cancel(changes: readonly PlannedChange[]): Promise<void>;
}

type Link = Pick<DeviceLink, 'operate'>;

/** An answer to a request of settings, which may be many. */
const RESPONSE_MS = 20_000;

/** A change that was accepted, with what sets it back; undefined = its former value is unknown. */
interface Accepted {
  readonly paths: readonly string[];
  readonly undo: RouterOperation | undefined;
}

/**
 * Make the changes of all steps. When the router rejects one, nothing after its step is sent, and what was accepted before is set back as far
 * as its former value is known: a router has all of its settings or none of a change.
 * @param reported what the router had before
 * @throws DomainError `router.not_connected`, `router.no_answer`
 */
export async function applySteps(
  link: Link,
  routerId: string,
  steps: readonly (readonly PlannedChange[])[],
  reported: Reported,
  trial: Trial,
): Promise<Sent> {
  const sent: Sent = { accepted: new Set(), rejected: new Map() };
  const done: Accepted[] = [];
  const make = async (changes: readonly PlannedChange[]) => {
    const outcome = await tryChanges(link, routerId, changes, trial);
    if (outcome.type === 'failed') return outcome.message;
    const created = outcome.type === 'done' ? outcome.outputs : new Map<string, string>();
    for (const [at, change] of changes.entries()) {
      for (const path of pathsOf(change)) sent.accepted.add(path);
      done.push({ paths: pathsOf(change), undo: undoOf(change, created.get(String(at)), reported) });
    }
    return undefined;
  };
  for (const step of steps) {
    for (const changes of Map.groupBy(step, ({ type }) => type).values()) {
      // oxlint-disable-next-line no-await-in-loop -- what can cut the router off comes last
      const together = await make(changes);
      if (together === undefined) continue;
      // oxlint-disable-next-line no-await-in-loop -- one request after another, so that each has its own result
      await makeEach(changes, together, make, sent);
    }
    if (sent.rejected.size > 0) break;
  }
  if (sent.rejected.size > 0) await setBack(link, routerId, done, sent);
  return sent;
}

/** @param changes all of one type */
async function tryChanges(
  link: Link,
  routerId: string,
  changes: readonly PlannedChange[],
  trial: Trial,
): Promise<OperationOutcome> {
  await trial.begin(changes);
  try {
    const outcome = await link.operate(routerId, toOperation(changes[0]!.type, changes), { timeoutMs: RESPONSE_MS });
    if (outcome.type === 'failed') await trial.cancel(changes);
    return outcome;
  } catch (error) {
    if (isNotConnected(error)) await trial.cancel(changes);
    throw error;
  }
}

async function makeEach(
  changes: readonly PlannedChange[],
  together: string,
  make: (changes: readonly PlannedChange[]) => Promise<string | undefined>,
  { rejected }: Sent,
): Promise<void> {
  for (const change of changes) {
    // oxlint-disable-next-line no-await-in-loop -- one request after another
    const message = changes.length === 1 ? together : await make([change]);
    if (message !== undefined) for (const path of pathsOf(change)) rejected.set(path, message);
  }
}

/** The last one first. What the router does not take back stays, and is then reported as it is. */
async function setBack(link: Link, routerId: string, done: readonly Accepted[], { accepted }: Sent): Promise<void> {
  for (const { paths, undo } of done.toReversed()) {
    if (undo === undefined) continue;
    for (const path of paths) accepted.delete(path);
    // oxlint-disable-next-line no-await-in-loop -- in the order of the changes
    await link.operate(routerId, undo, { timeoutMs: RESPONSE_MS });
  }
}

/** @returns the router's message when it rejected this */
export async function setOnRouter(link: Link, routerId: string, sets: readonly PlannedSet[]): Promise<string | undefined> {
  const outcome = await link.operate(routerId, toOperation('set', sets), { timeoutMs: RESPONSE_MS });
  return outcome.type === 'failed' ? outcome.message : undefined;
}

/** Paths of the settings or entries that a change is of. */
export const pathsOf = (change: PlannedChange): readonly string[] => (change.type === 'add' ? change.paths : [change.path]);

/** @param changes all of this type */
function toOperation(type: PlannedChange['type'], changes: readonly PlannedChange[]): RouterOperation {
  if (type === 'delete')
    return { type: 'delete-objects', objects: (changes as readonly PlannedDelete[]).map(({ object }) => object) };
  if (type === 'add')
    return {
      type: 'add-objects',
      objects: (changes as readonly PlannedAdd[]).map(({ table, values }): ObjectValues => ({ object: table, values })),
    };
  const objects = Array.from(
    Map.groupBy(changes as readonly PlannedSet[], ({ object }) => object),
    ([object, own]): ObjectValues => ({ object, values: new Map(own.map(({ parameter, value }) => [parameter, value])) }),
  );
  return { type: 'set-objects', objects };
}

/** @param created path of the instance that was added */
function undoOf(change: PlannedChange, created: string | undefined, reported: Reported): RouterOperation | undefined {
  switch (change.type) {
    case 'add':
      return created === undefined ? undefined : { type: 'delete-objects', objects: [created] };
    case 'set': {
      const { object, parameter, isSecret } = change;
      const former = reported.get(object + parameter);
      // A secret reads as empty: that is not its former value.
      return former === undefined || (former === '' && isSecret)
        ? undefined
        : { type: 'set-objects', objects: [{ object, values: new Map([[parameter, former]]) }] };
    }
    case 'delete': {
      const { object } = change;
      const values = [...reported].filter(([path]) => path.startsWith(object) && !path.slice(object.length).includes('.'));
      const own = values.filter(([path]) => !path.endsWith('NumberOfEntries'));
      return {
        type: 'add-objects',
        objects: [
          {
            object: object.slice(0, object.lastIndexOf('.', object.length - 2) + 1),
            values: new Map(own.map(([path, value]) => [path.slice(object.length), value])),
          },
        ],
      };
    }
  }
}
