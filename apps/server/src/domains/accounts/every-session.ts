import type { Tx } from '../../platform/ports/database.ts';
import { endBrowsers } from '../alerts/index.ts';
import { deleteSessionsOf } from './sessions.store.ts';

/** End every session of an account, and push messages in all of its browsers: one of them may be lost. @returns the number of sessions */
export async function endEverySession(tx: Tx, accountId: string): Promise<number> {
  const sessions = await deleteSessionsOf(tx, accountId);
  await endBrowsers(tx, { accountId }, undefined);
  return sessions;
}
