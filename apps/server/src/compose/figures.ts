import type { Pool } from 'pg';
import type { RolloutEngine } from '../domains/rollouts/index.ts';
import type { Gateway } from '../transport/usp/index.ts';
import type { Dispatcher } from '../platform/outbox/index.ts';
import type { Figure } from '../platform/metrics/index.ts';

export interface FigureSources {
  readonly pool: Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount'>;
  readonly gateway: Pick<Gateway, 'stats'>;
  readonly dispatcher: Pick<Dispatcher, 'readUpTo'>;
  readonly rollouts: Pick<RolloutEngine, 'stats'>;
  /** Sockets of users and routers at this process. */
  readonly sockets: () => Promise<number>;
  /** Value of the last count. */
  readonly mailsDue: () => number;
  /** Free bytes on the data folder's disk. */
  readonly freeBytes: () => number;
}

/** Figures of this server, besides its calls and the process itself. */
export function figuresOf({ pool, gateway, dispatcher, rollouts, sockets, mailsDue, freeBytes }: FigureSources): Figure[] {
  return [
    { name: 'sockets', help: 'Connections to the port for calls and routers.', read: sockets },
    { name: 'routers_connected', help: 'Routers connected to this process.', read: () => gateway.stats().connected },
    {
      name: 'outbox_lag_seconds',
      help: 'Age of the last read of the outbox; grows while the database is unavailable.',
      read: () => (dispatcher.readUpTo()?.ageMs ?? Number.NaN) / 1_000,
    },
    {
      name: 'outbox_horizon_age_seconds',
      help: 'Age of the oldest running transaction of the cluster; reconnecting consoles resume from before it.',
      read: () => (dispatcher.readUpTo()?.horizonAgeMs ?? Number.NaN) / 1_000,
    },
    {
      name: 'waiting',
      help: 'Pending work by queue.',
      label: 'work',
      read: () => {
        const { knocking, reconciling } = gateway.stats();
        return { admission: knocking, reconciliation: reconciling, rollouts: rollouts.stats().waiting };
      },
    },
    { name: 'disk_free_bytes', help: 'Free disk of the data folder at the last check.', read: freeBytes },
    {
      name: 'mails_due',
      help: 'Mails of the whole installation that are due; 10000 = at least that many. Counted every 15 seconds; NaN while the database does not answer.',
      read: mailsDue,
    },
    {
      name: 'database_connections',
      help: 'Connections of the serving pool by state, and requests that wait for one.',
      label: 'state',
      read: () => ({ busy: pool.totalCount - pool.idleCount, idle: pool.idleCount, awaited: pool.waitingCount }),
    },
  ];
}
