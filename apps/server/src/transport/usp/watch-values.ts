import type { OperationOutcome } from '../../platform/ports/index.ts';
import { readAll } from './reconcile/questions.ts';
import { setting } from './reconcile/settings-of.ts';
import type { Session } from './session.ts';

const SUBSCRIPTIONS = 'Device.LocalAgent.Subscription.';
/** Its ID; the set-up of a connection knows those that begin with `highline`, and leaves this one alone. */
export const WATCHED = 'settings-highline';
const DONE: OperationOutcome = { type: 'done', outputs: new Map() };

/** Give the router one subscription to changes of these parameters, in place of one to others. */
export async function watchValues(session: Session, paths: readonly string[], timeoutMs?: number): Promise<OperationOutcome> {
  const desired = [...new Set(paths)].toSorted().join(',');
  // Each comparison ends with this, and mostly nothing is another than at the one before.
  if (session.watched === desired) return DONE;
  const responses = await readAll(session, [`${SUBSCRIPTIONS}*.ID`, `${SUBSCRIPTIONS}*.ReferenceList`], timeoutMs);
  const own = [...responses.entries()].flatMap(([path, value]) =>
    path.endsWith('.ID') && value === WATCHED ? [path.slice(0, -'ID'.length)] : [],
  );
  const [first, ...others] = own;
  const listOf = (path: string) => (responses.get(`${path}ReferenceList`) ?? '').split(',').toSorted().join(',');
  const isKept = first !== undefined && desired !== '' && listOf(first) === desired;
  // A reference cannot be changed (TR-181): replace it.
  const objPaths = isKept ? others : own;
  if (objPaths.length > 0) await session.ask<'delete'>({ type: 'delete', allowPartial: false, objPaths }, timeoutMs);
  if (!isKept && desired !== '') {
    const paramSettings = [
      setting('ID', WATCHED),
      setting('NotifType', 'ValueChange'),
      setting('ReferenceList', desired),
      setting('Enable', 'true'),
    ];
    const createObjs = [{ objPath: SUBSCRIPTIONS, paramSettings }];
    const added = await session.ask<'add'>({ type: 'add', allowPartial: false, createObjs }, timeoutMs);
    // The next comparison tries again.
    if (added.type === 'error') return DONE;
  }
  session.watched = desired;
  return DONE;
}
