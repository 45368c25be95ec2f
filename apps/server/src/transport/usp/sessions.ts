import { setTimeout as pause } from 'node:timers/promises';
import type { PresenceReason } from '@highline/contract';
import type { Rejections } from '../../domains/inventory/index.ts';
import type { PresenceService } from '../../domains/router-state/index.ts';
import type { Log } from '../../platform/ports/log.ts';
import { Clones } from './clones.ts';
import type { Session } from './session.ts';
import { Reconnects } from './reconnects.ts';
import type { GatewaySettings } from './settings.ts';
import type { TimerWheel } from './wheel.ts';

export interface SessionsDeps {
  readonly presence: PresenceService;
  readonly rejections: Pick<Rejections, 'rejected'>;
  readonly log: Log;
  readonly wheel: TimerWheel;
  readonly settings: Pick<GatewaySettings, 'cloneReplacements' | 'cloneWindowMs'>;
}

/** Longer than any lookup may take: a connection admitted before its router was disconnected must not stay. */
const REVOKED_MS = 60_000;
/** Routers that must reconnect, per batch. */
const DRAIN_BATCH = 200;
const DRAIN_PAUSE_MS = 10;

/** Sessions of the connected routers, one each: of two connections with one identity the newer one stays. */
export class Sessions {
  readonly endCounts: Partial<Record<PresenceReason, number>> = {};
  readonly #deps: SessionsDeps;
  readonly #byRouter = new Map<string, Session>();
  readonly #revoked = new Map<string, number>();
  readonly #clones: Clones;
  readonly #reconnects = new Reconnects();
  #isDraining = false;

  constructor(deps: SessionsDeps) {
    this.#deps = deps;
    this.#clones = new Clones(deps.settings);
  }

  /** Routers that connect again and again. */
  get flapping(): number {
    return this.#reconnects.flapping(this.#deps.wheel.now);
  }

  get size(): number {
    return this.#byRouter.size;
  }

  all(): Session[] {
    return [...this.#byRouter.values()];
  }

  find(routerId: string): Session | undefined {
    return this.#byRouter.get(routerId);
  }

  opened(session: Session): void {
    const { presence, wheel, log } = this.#deps;
    const { routerId, serial, connectionEpoch } = session.router;
    if (this.#isDraining) {
      session.close('restarting', 'server-restarted', comeBackHint());
      return;
    }
    if (session.lookedUpAt <= (this.#revoked.get(routerId) ?? -1)) {
      session.close('rejected', 'disconnected', 'no longer admitted');
      return;
    }
    const older = this.#byRouter.get(routerId);
    this.#byRouter.set(routerId, session);
    older?.replace();
    // Two clones that alternate would fill the history; they are reported once. If the other one is at another process, this
    // connection is written, since it says which process has the router.
    const isKnownClone = this.#clones.isFound(routerId, wheel.now);
    const reason = older === undefined ? 'connected' : 'replaced';
    if (older === undefined || !isKnownClone) presence.connected(routerId, connectionEpoch, reason, isKnownClone);
    const often = this.#reconnects.connected(routerId, wheel.now);
    if (often !== undefined)
      log.warn({ serial, connections: often }, 'A router goes on and off: it has connected this often within the hour.');
    log.debug({ serial, address: session.link.address, replaces: older !== undefined }, 'Router connected.');
  }

  ended(session: Session, reason: PresenceReason): void {
    const { presence, log } = this.#deps;
    const { routerId, serial } = session.router;
    this.endCounts[reason] = (this.endCounts[reason] ?? 0) + 1;
    if (this.#byRouter.get(routerId) !== session) return;
    this.#byRouter.delete(routerId);
    log.debug({ serial, reason }, 'Router disconnected.');
    // A router that leaves because the server stops is not offline: the next start finds out.
    if (!this.#isDraining) presence.disconnected(routerId, reason, session.lastSeenAt);
  }

  survivedReplacement({ router: { routerId, serial }, link }: Session): void {
    const { presence, rejections, wheel, log } = this.#deps;
    if (!this.#clones.survived(routerId, wheel.now)) return;
    log.warn({ serial, address: link.address }, 'Two routers use one identity alternately: one of them is a clone.');
    rejections.rejected(routerId, { reason: 'identity-shared', address: link.address });
    const current = this.#byRouter.get(routerId);
    if (current !== undefined) presence.connected(routerId, current.router.connectionEpoch, 'cloned');
    // The other one is connected to another process.
    else
      presence
        .happened(routerId, 'cloned', 'cloned')
        .catch((error: unknown) => log.warn({ err: error }, 'A clone is not in the history.'));
  }

  /** These routers have a newer connection at another process. */
  replacedElsewhere(routerIds: readonly string[]): void {
    for (const routerId of routerIds) {
      const session = this.#byRouter.get(routerId);
      this.#byRouter.delete(routerId);
      session?.replace();
    }
  }

  /** Close the routers' connections. Those that are not open yet, and whose credentials were read before this, are rejected too. */
  disconnect(routerIds: readonly string[], text: string): void {
    const now = performance.now();
    for (const [id, at] of this.#revoked) if (at < now - REVOKED_MS) this.#revoked.delete(id);
    for (const id of routerIds) {
      this.#revoked.set(id, now);
      this.#byRouter.get(id)?.close('rejected', 'disconnected', text.slice(0, 100));
    }
  }

  /** Ids of routers that have been idle for so long, from a random one on. */
  idle(most: number, forMs: number): string[] {
    const all = this.all();
    const start = Math.floor(Math.random() * all.length);
    const found: string[] = [];
    for (let n = 0; n < all.length && found.length < most; n++) {
      const session = all[(start + n) % all.length]!;
      if (session.isIdle(forMs)) found.push(session.router.routerId);
    }
    return found;
  }

  /** Ask these routers to connect again, to another process. They are not offline meanwhile. */
  sendElsewhere(routerIds: readonly string[]): void {
    for (const routerId of routerIds) {
      const session = this.#byRouter.get(routerId);
      if (session === undefined) continue;
      this.#deps.presence.sentElsewhere(routerId, session.lastSeenAt);
      // So that its end is not one of its router.
      this.#byRouter.delete(routerId);
      session.close('restarting', 'server-restarted', comeBackHint());
    }
  }

  /** Ask all routers to reconnect shortly. Resolves when all were notified. */
  async sendAway(): Promise<void> {
    this.#isDraining = true;
    const all = [...this.#byRouter.values()];
    for (let start = 0; start < all.length; start += DRAIN_BATCH) {
      for (const session of all.slice(start, start + DRAIN_BATCH)) {
        this.#deps.presence.recordContact(session.router.routerId, session.lastSeenAt, session.rssi);
        session.close('restarting', 'server-restarted', comeBackHint());
      }
      await pause(DRAIN_PAUSE_MS);
    }
  }
}

/** Random delay in seconds, so that a fleet does not reconnect at the same time. */
function comeBackHint(): string {
  return `come back in ${1 + Math.floor(Math.random() * 15)} s`;
}
