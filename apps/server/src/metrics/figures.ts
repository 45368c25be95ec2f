import type { Pool } from 'pg';
import type { RolloutEngine } from '../domains/rollouts/index.ts';
import type { Gateway } from '../gateway/index.ts';
import type { Dispatcher } from '../live/index.ts';
import type { Figure } from './metrics.ts';

export interface FigureSources {
  readonly pool: Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount'>;
  readonly gateway: Pick<Gateway, 'stats'>;
  readonly dispatcher: Pick<Dispatcher, 'readUpTo'>;
  readonly rollouts: Pick<RolloutEngine, 'stats'>;
  /** Sockets of people and routers at this process. */
  readonly sockets: () => Promise<number>;
  /** As of the last count. */
  readonly mailsDue: () => number;
  /** Of the data folder's disk. */
  readonly freeBytes: () => number;
}

/** What of this server is worth a figure beside its calls and the process itself. */
export function figuresOf({ pool, gateway, dispatcher, rollouts, sockets, mailsDue, freeBytes }: FigureSources): Figure[] {
  return [
    { name: 'sockets', help: 'Connections to the port of calls and routers.', read: sockets },
    { name: 'routers_connected', help: 'Routers connected to this process.', read: () => gateway.stats().connected },
    {
      name: 'outbox_lag_seconds',
      help: 'How old what was read of the outbox last is; it grows while the database is away.',
      read: () => (dispatcher.readUpTo()?.ageMs ?? Number.NaN) / 1_000,
    },
    {
      name: 'outbox_horizon_age_seconds',
      help: 'How long the oldest running transaction of the cluster has been seen; consoles that reconnect resume from before it.',
      read: () => (dispatcher.readUpTo()?.horizonAgeMs ?? Number.NaN) / 1_000,
    },
    {
      name: 'waiting',
      help: 'Work that waits, by what it is for.',
      label: 'work',
      read: () => {
        const { knocking, reconciling } = gateway.stats();
        return { admission: knocking, reconciliation: reconciling, rollouts: rollouts.stats().waiting };
      },
    },
    { name: 'disk_free_bytes', help: 'Free disk of the data folder, as of the last look.', read: freeBytes },
    {
      name: 'mails_due',
      help: 'Mails of the whole installation that could be sent now; 10000 = at least so many. Counted every 15 seconds; not a number while the database does not answer.',
      read: mailsDue,
    },
    {
      name: 'database_connections',
      help: 'Connections of the serving pool, by what they do, and who waits for one.',
      label: 'state',
      read: () => ({ busy: pool.totalCount - pool.idleCount, idle: pool.idleCount, awaited: pool.waitingCount }),
    },
  ];
}
