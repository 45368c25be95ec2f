import type { accounts } from '@highline/contract';
import type { Tx } from '../../platform/ports/database.ts';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Actor } from '../../kernel/scope.ts';
import { endBrowsers } from '../alerts/index.ts';
import { recordOwn } from './account.audit.ts';
import { endEverySession } from './every-session.ts';
import { deleteSessionOf, findSessionsOf, type SessionRow } from './sessions.store.ts';
import { sentence, type AuditAction } from '../logs/index.ts';

export interface OwnSessionsDeps extends Pick<Deps, 'database' | 'clock'> {
  readonly endStreams: (which: { readonly sessionId: string } | { readonly accountId: string }) => void;
}

/** A user's own sessions, listed and ended one by one or all at once. */
export function createOwnSessions({ database, clock, endStreams }: OwnSessionsDeps) {
  const end = async (
    actor: Actor,
    sessionId: string,
    action: AuditAction,
    work: (tx: Tx) => Promise<void> = async () => undefined,
  ): Promise<number> => {
    const isEnded = await database.write(async (tx) => {
      if (!(await deleteSessionOf(tx, actor.accountId, Buffer.from(sessionId, 'hex')))) return false;
      await work(tx);
      await recordOwn(tx, actor, action, {}, clock.now());
      return true;
    });
    // The streams of this session may be open still although it was ended elsewhere.
    if (isEnded || sessionId === actor.sessionId) endStreams({ sessionId });
    return isEnded ? 1 : 0;
  };
  return {
    listSessions: async (actor: Actor): Promise<accounts.OwnSession[]> =>
      (await findSessionsOf(database.read, actor, actor.accountId, clock.now())).map((row) => toSessionDto(row, actor)),

    /** End one of the actor's own sessions. @returns 0 when it had already ended, or is not the actor's */
    endSession: async (actor: Actor, sessionId: string) =>
      /^[0-9a-f]{64}$/u.test(sessionId) ? end(actor, sessionId, sentence('session.ended')) : 0,

    /** End this session. @param browser whose push messages of the actor end with it @returns 0 when it had already ended */
    signOut: (actor: Actor, browser: string | undefined) =>
      end(actor, actor.sessionId, sentence('session.signed_out'), async (tx) => {
        if (browser !== undefined) await endBrowsers(tx, actor, browser);
      }),

    /** AUTH-08: end every session of the account, and push messages in all of its browsers, everywhere, at once. @returns their number */
    async signOutEverywhere(actor: Actor): Promise<number> {
      const ended = await database.write(async (tx) => {
        const sessions = await endEverySession(tx, actor.accountId);
        await recordOwn(tx, actor, sentence('session.signed_out_everywhere'), { sessions }, clock.now());
        return sessions;
      });
      endStreams({ accountId: actor.accountId });
      return ended;
    },
  };
}

/** A session as the API returns it. */
export function toSessionDto(row: SessionRow, actor: Actor): accounts.OwnSession {
  const id = row.bearer_hash.toString('hex');
  const seconds = (moment: Date) => Math.floor(moment.getTime() / 1000);
  return {
    id,
    created: seconds(row.created_at),
    lastUsed: seconds(row.last_used_at),
    address: row.address,
    userAgent: row.user_agent,
    method: row.method,
    current: id === actor.sessionId,
  };
}
