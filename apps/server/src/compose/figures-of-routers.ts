import { presenceReasons } from '@highline/contract';
import type { Pool } from 'pg';
import type { Positions } from '../domains/positions/index.ts';
import type { RolloutEngine } from '../domains/rollouts/index.ts';
import type { PresenceService, Telemetry, TelemetrySink } from '../domains/router-state/index.ts';
import type { Usage } from '../domains/usage/index.ts';
import type { ReplicaReads } from '../platform/adapters/replica-reads.ts';
import type { RunningJobs } from '../platform/jobs/runner.ts';
import type { Figure } from '../platform/metrics/index.ts';
import type { NodeChannel } from '../platform/node-rpc/index.ts';
import type { ServerNode } from '../platform/nodes/index.ts';
import type { Dispatcher } from '../platform/outbox/index.ts';
import type { Gateway } from '../transport/usp/index.ts';
import type { RouterBalance } from './balance.ts';

export interface FigureSources {
  readonly nodeName: string;
  readonly pool: Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount'>;
  readonly replica: Pick<ReplicaReads, 'ageMs' | 'counts'> | undefined;
  readonly gateway: Pick<Gateway, 'stats'>;
  readonly dispatcher: Pick<Dispatcher, 'readUpTo'>;
  readonly rollouts: Pick<RolloutEngine, 'stats'>;
  readonly node: Pick<ServerNode, 'stats'>;
  readonly channel: Pick<NodeChannel, 'isConnected'>;
  readonly balance: Pick<RouterBalance, 'sent'>;
  /** Sockets of users and routers at this process. */
  readonly sockets: () => Promise<number>;
  /** When the certificates of our own TLS expire, by setting; undefined without it. */
  readonly certificateExpiries: (() => Readonly<Record<string, number>>) | undefined;
  /** Free bytes on the data folder's disk. */
  readonly freeBytes: () => number;
  readonly presence: Pick<PresenceService, 'stats'>;
  readonly telemetry: Pick<Telemetry, 'stats'>;
  readonly positions: Pick<Positions, 'stats'>;
  readonly usage: Pick<Usage, 'stats'>;
  readonly telemetrySink: Pick<TelemetrySink, 'stats'> | undefined;
  /** Failed calls of the store of files. */
  readonly blobFaults: () => number;
  /** Of the domains. */
  readonly ofModules: readonly Figure[];
  /** Undefined before the start. */
  readonly jobs: () => RunningJobs | undefined;
}

/** Positions and counters of data of routers. */
export function figuresOfPositions({ positions, usage }: Pick<FigureSources, 'positions' | 'usage'>): Figure[] {
  return [
    {
      name: 'positions_total',
      help: 'Positions of routers that were stored.',
      isCounter: true,
      read: () => positions.stats().written,
    },
    {
      name: 'positions_rejected_total',
      help: 'Positions of routers and documents with them that were rejected, by reason.',
      label: 'reason',
      isCounter: true,
      read: () => positions.stats().rejected,
    },
    {
      name: 'usage_readings_total',
      help: 'Readings of data counters that are in the ledger.',
      isCounter: true,
      read: () => usage.stats().written,
    },
    {
      name: 'usage_readings_expired_total',
      help: 'Readings of data counters that came too late.',
      isCounter: true,
      read: () => usage.stats().expired,
    },
  ];
}

/** What routers and this process exchanged since the start. */
export function figuresOfRouters({ gateway, telemetry }: Pick<FigureSources, 'gateway' | 'telemetry'>): Figure[] {
  const none = Object.fromEntries(presenceReasons.map((reason) => [reason, 0]));
  return [
    {
      name: 'router_admissions_total',
      help: 'Connections of routers by result; deferred ones were requested to come back later.',
      label: 'result',
      isCounter: true,
      read: () => ({ ...gateway.stats().admission }),
    },
    {
      name: 'router_sessions_ended_total',
      help: 'Ended connections of routers by reason.',
      label: 'reason',
      isCounter: true,
      read: () => ({ ...none, ...gateway.stats().ended }),
    },
    {
      name: 'router_notifications_total',
      help: 'Notifications of routers by what became of them; deferred ones are repeated by the router.',
      label: 'result',
      isCounter: true,
      read: () => ({ ...gateway.stats().notifications }),
    },
    {
      name: 'telemetry_rows_total',
      help: 'Written rows of measurements.',
      isCounter: true,
      read: () => telemetry.stats().written,
    },
  ];
}
