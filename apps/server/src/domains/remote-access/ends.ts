import type { remoteAccess } from '@highline/contract';
import type { Deps } from '../../platform/ports/deps.ts';
import type { Traffic } from '../../platform/ports/tunnels.ts';
import type { AuditActor } from '../logs/index.ts';
import type { ActiveSession, ActiveSessions } from './live-sessions.ts';
import { recordEnded } from './remote-access.audit.ts';
import { type OpenSession } from './open-sessions.store.ts';
import { markEnded } from './remote-access.store.ts';
import type { RouterCommands } from './router-commands.ts';

export interface EndDeps extends Pick<Deps, 'database' | 'clock' | 'log'> {
  readonly commands: RouterCommands;
  readonly active: ActiveSessions;
}

export interface Ends {
  /**
   * End a session (RMT-03): first its sockets, at once; then its row is written, and the router notified if it is reachable.
   * @param actor the user who ended it; without one it ended by itself
   * @returns false when it had already ended
   */
  end(session: OpenSession, reason: remoteAccess.EndReason, actor?: AuditActor): Promise<boolean>;
  /** As `end`, without waiting; failed writes are retried later. */
  endSoon(session: OpenSession, reason: remoteAccess.EndReason): void;
  /** The reason of an end that is not written yet. */
  reasonOf(id: string): remoteAccess.EndReason | undefined;
  /** Whether an end is being written by this process. */
  isEnding(id: string): boolean;
  /** Resolves when routers were notified of all ends so far, or are unreachable. */
  idle(): Promise<void>;
}

/** Ends sessions: the sockets first, then the row, with retries. */
export function createEnds({ database, clock, log, commands, active }: EndDeps): Ends {
  const unwritten = new Map<string, remoteAccess.EndReason>();
  const underWay = new Set<Promise<unknown>>();
  const ending = new Set<string>();

  const follow = (work: Promise<unknown>): void => {
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
  };

  /** @returns the bytes through its sockets, if this process had them */
  const letGo = (id: string, reason: remoteAccess.EndReason): Traffic | undefined => {
    const session = active.get(id);
    if (session === undefined) return undefined;
    const traffic = session.client === null ? undefined : session.tunnel?.traffic;
    active.delete(id);
    unwritten.set(id, reason);
    cutOff(session);
    follow(commands.close(session));
    return traffic;
  };

  const write = async (
    { id, scope }: OpenSession,
    reason: remoteAccess.EndReason,
    traffic: Traffic | undefined,
    actor?: AuditActor,
  ): Promise<boolean> => {
    const now = clock.now();
    const hasEnded = await database.write(async (tx) => {
      const ended = await markEnded(tx, scope, id, reason, now, traffic);
      if (ended === undefined) return false;
      await recordEnded(tx, scope, ended, reason, now, actor);
      return true;
    });
    unwritten.delete(id);
    return hasEnded;
  };

  const end: Ends['end'] = async (session, reason, actor) => {
    const traffic = letGo(session.id, reason);
    ending.add(session.id);
    try {
      return await write(session, reason, traffic, actor);
    } finally {
      ending.delete(session.id);
    }
  };

  return {
    end,
    endSoon(session, reason) {
      const work = end(session, reason).catch((error: unknown) => {
        log.warn({ err: error, session: session.id }, 'Failed to write the end of a remote session; it will be retried.');
      });
      follow(work);
    },
    isEnding: (id) => ending.has(id),
    reasonOf: (id) => unwritten.get(id),
    async idle() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

function cutOff({ over, keep, tunnel }: ActiveSession): void {
  keep?.();
  over.abort(new Error('The remote session has ended.'));
  tunnel?.close();
}
