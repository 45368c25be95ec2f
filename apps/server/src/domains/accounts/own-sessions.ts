import type { accounts } from '@highline/contract';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Actor } from '../../kernel/scope.ts';
import { recordOwn } from './account.audit.ts';
import { deleteSessionOf, findSessionsOf, type SessionRow } from './sessions.store.ts';

export interface OwnSessionsDeps extends Pick<Deps, 'database' | 'clock'> {
  readonly endStreams: (which: { readonly sessionId: string }) => void;
}

/** A user's own sessions, listed and ended one by one. */
export function createOwnSessions({ database, clock, endStreams }: OwnSessionsDeps) {
  return {
    listSessions: async (actor: Actor): Promise<accounts.OwnSession[]> =>
      (await findSessionsOf(database.read, actor.accountId, clock.now())).map((row) => toSessionDto(row, actor)),

    /** End one of the actor's own sessions. @returns 0 when it had already ended, or is not the actor's */
    async endSession(actor: Actor, sessionId: string): Promise<number> {
      if (!/^[0-9a-f]{64}$/u.test(sessionId)) return 0;
      const isEnded = await database.write(async (tx) => {
        if (!(await deleteSessionOf(tx, actor.accountId, Buffer.from(sessionId, 'hex')))) return false;
        await recordOwn(tx, actor, 'Ended a session', {}, clock.now());
        return true;
      });
      if (isEnded) endStreams({ sessionId });
      return isEnded ? 1 : 0;
    },
  };
}

function toSessionDto(row: SessionRow, actor: Actor): accounts.OwnSession {
  const id = row.bearer_hash.toString('hex');
  const seconds = (moment: Date) => Math.floor(moment.getTime() / 1000);
  return {
    id,
    created: seconds(row.created_at),
    lastUsed: seconds(row.last_used_at),
    address: row.address,
    userAgent: row.user_agent,
    current: id === actor.sessionId,
  };
}
