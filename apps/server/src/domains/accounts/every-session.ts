import type { Scope } from '../../kernel/index.ts';
import type { Tx } from '../../platform/ports/database.ts';
import { endBrowsers } from '../alerts/index.ts';
import { deleteSessionsOf, findSessionsOf } from './sessions.store.ts';

/** End every session of an account, and push messages in all of its browsers: one of them may be lost. @returns the number of sessions */
export async function endEverySession(tx: Tx, accountId: string): Promise<number> {
  const sessions = await deleteSessionsOf(tx, accountId);
  await endBrowsers(tx, { accountId }, undefined);
  return sessions;
}

/** End push messages in all browsers of those accounts whose last session has ended by an act of another: no one may read them there any more. */
export async function endBrowsersWithoutSession(
  tx: Tx,
  scope: Pick<Scope, 'mainAccountId'>,
  accountIds: readonly string[],
  now: Date,
): Promise<void> {
  for (const accountId of accountIds)
    if ((await findSessionsOf(tx, scope, accountId, now)).length === 0) await endBrowsers(tx, { accountId }, undefined);
}
