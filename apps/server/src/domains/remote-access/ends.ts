import type { remoteAccess } from '@highline/contract';
import type { Clock } from '../../ports/clock.ts';
import type { Database } from '../../ports/database.ts';
import type { Log } from '../../ports/log.ts';
import type { AuditActor } from '../logs/index.ts';
import type { HeldSession, HeldSessions } from './live-sessions.ts';
import { tellEnded } from './remote-access.audit.ts';
import { markEnded, type OpenSession } from './remote-access.store.ts';
import type { RouterCommands } from './router-commands.ts';

export interface EndDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly commands: RouterCommands;
  readonly held: HeldSessions;
}

export interface Ends {
  /**
   * End a session (RMT-03): its sockets first, at once; then it is written down, and the router hears of it as far as it can be reached.
   * @param actor who ended it; left out, it ended by itself
   * @returns false when it had ended before
   */
  end(session: OpenSession, reason: remoteAccess.EndReason, actor?: AuditActor): Promise<boolean>;
  /** The same for whom nobody waits; what cannot be written now is written later. */
  endSoon(session: OpenSession, reason: remoteAccess.EndReason): void;
  /** Why a session ended that could not be written down yet. */
  reasonOf(id: string): remoteAccess.EndReason | undefined;
  /** Whether an end of this process is being written. */
  isEnding(id: string): boolean;
  /** Resolves when routers have heard of the ends so far, or cannot. */
  settled(): Promise<void>;
}

/** Ends sessions: the sockets first, then the row, as often as it takes. */
export function createEnds({ database, clock, log, commands, held }: EndDeps): Ends {
  const unwritten = new Map<string, remoteAccess.EndReason>();
  const underWay = new Set<Promise<unknown>>();
  const ending = new Set<string>();

  const follow = (work: Promise<unknown>): void => {
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
  };

  const letGo = (id: string, reason: remoteAccess.EndReason): void => {
    const session = held.get(id);
    if (session === undefined) return;
    held.delete(id);
    unwritten.set(id, reason);
    cutOff(session);
    follow(commands.close(session));
  };

  const write = async ({ id, scope }: OpenSession, reason: remoteAccess.EndReason, actor?: AuditActor): Promise<boolean> => {
    const now = clock.now();
    const hasEnded = await database.write(async (tx) => {
      const ended = await markEnded(tx, scope, id, reason, now);
      if (ended === undefined) return false;
      await tellEnded(tx, scope, ended, reason, now, actor);
      return true;
    });
    unwritten.delete(id);
    return hasEnded;
  };

  const end: Ends['end'] = async (session, reason, actor) => {
    letGo(session.id, reason);
    ending.add(session.id);
    try {
      return await write(session, reason, actor);
    } finally {
      ending.delete(session.id);
    }
  };

  return {
    end,
    endSoon(session, reason) {
      const work = end(session, reason).catch((error: unknown) => {
        log.warn(
          { err: error, session: session.id },
          'The end of a remote session could not be written down; it is tried again.',
        );
      });
      follow(work);
    },
    isEnding: (id) => ending.has(id),
    reasonOf: (id) => unwritten.get(id),
    async settled() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

function cutOff({ over, keep, tunnel }: HeldSession): void {
  keep?.();
  over.abort(new Error('The remote session has ended.'));
  tunnel?.close();
}
