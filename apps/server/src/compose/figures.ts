import type { Pool } from 'pg';
import type { ReplicaReads } from '../platform/adapters/replica-reads.ts';
import type { RolloutEngine } from '../domains/rollouts/index.ts';
import type { Gateway } from '../transport/usp/index.ts';
import { presenceReasons } from '@highline/contract';
import type { Positions } from '../domains/positions/index.ts';
import type { Usage } from '../domains/usage/index.ts';
import type { PresenceService, Telemetry, TelemetrySink } from '../domains/router-state/index.ts';
import type { RunningJobs } from '../platform/jobs/runner.ts';
import { build } from '../platform/process/version.ts';
import type { NodeChannel } from '../platform/node-rpc/index.ts';
import type { ServerNode } from '../platform/nodes/index.ts';
import type { Dispatcher } from '../platform/outbox/index.ts';
import type { RouterBalance } from './balance.ts';
import type { Figure } from '../platform/metrics/index.ts';

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

/** Figures of this server, besides its calls and the process itself. */
export function figuresOf(sources: FigureSources): Figure[] {
  const { pool, replica, gateway, dispatcher, rollouts, sockets, freeBytes } = sources;
  return [
    ...figuresOfRouters(sources),
    ...figuresOfPositions(sources),
    ...figuresOfNode(sources),
    ...figuresOfJobs(sources.jobs),
    ...sources.ofModules,
    {
      name: 'build_info',
      help: 'Version with commit, and name, of this process; always 1.',
      constants: { version: build, node: sources.nodeName },
      read: () => 1,
    },
    {
      name: 'blob_faults_total',
      help: 'Failed reads and writes of firmware images, in the data folder or the bucket.',
      isCounter: true,
      read: sources.blobFaults,
    },
    ...(replica === undefined ? [] : figuresOfReplica(replica)),
    ...figuresOfSink(sources.telemetrySink),
    { name: 'sockets', help: 'Connections to the port for calls and routers.', read: sockets },
    { name: 'routers_connected', help: 'Routers connected to this process.', read: () => gateway.stats().connected },
    {
      name: 'routers_flapping',
      help: 'Routers that connected to this process ten times or more within this hour or the last one.',
      read: () => gateway.stats().flapping,
    },
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
        const { authenticating, reconciling } = gateway.stats();
        return {
          admission: authenticating,
          reconciliation: reconciling,
          rollouts: rollouts.stats().waiting,
          presence: sources.presence.stats().waiting,
          telemetry: sources.telemetry.stats().waiting,
          positions: sources.positions.stats().waiting,
          usage: sources.usage.stats().waiting,
        };
      },
    },
    { name: 'disk_free_bytes', help: 'Free disk of the data folder at the last check.', read: freeBytes },
    {
      name: 'database_connections',
      help: 'Connections of the serving pool by state, and requests that wait for one.',
      label: 'state',
      read: () => ({ busy: pool.totalCount - pool.idleCount, idle: pool.idleCount, awaited: pool.waitingCount }),
    },
  ];
}

function figuresOfReplica({ ageMs, counts }: Pick<ReplicaReads, 'ageMs' | 'counts'>): Figure[] {
  return [
    {
      name: 'replica_age_seconds',
      help: 'Age of the data of the replica; NaN while it is not used.',
      read: () => ageMs() / 1_000,
    },
    {
      name: 'list_reads',
      help: 'Reads of lists and reports since the start, by database.',
      label: 'database',
      read: () => counts,
    },
  ];
}

/** Copies of readings. */
function figuresOfSink(sink: FigureSources['telemetrySink']): Figure[] {
  const stats = () => sink?.stats() ?? { lagSeconds: Number.NaN, sent: 0, failures: 0, lost: 0 };
  return [
    {
      name: 'telemetry_sink_lag_seconds',
      help: 'Age of the oldest stored readings that the telemetry sink has not confirmed, at the last look; NaN before it, and without a sink.',
      read: () => stats().lagSeconds,
    },
    {
      name: 'telemetry_sink_reports_total',
      help: 'Reports by what became of their copy: sent = confirmed by the sink to this process, lost = given up after TELEMETRY_SINK_HOURS.',
      label: 'result',
      isCounter: true,
      read: () => ({ sent: stats().sent, lost: stats().lost }),
    },
    {
      name: 'telemetry_sink_failures_total',
      help: 'Failed attempts to send to the telemetry sink.',
      isCounter: true,
      read: () => stats().failures,
    },
  ];
}

/** Positions and counters of data of routers. */
function figuresOfPositions({ positions, usage }: Pick<FigureSources, 'positions' | 'usage'>): Figure[] {
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
function figuresOfRouters({ gateway, telemetry }: Pick<FigureSources, 'gateway' | 'telemetry'>): Figure[] {
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

function figuresOfJobs(jobs: FigureSources['jobs']): Figure[] {
  const each = (figure: 'lastSuccess' | 'failures' | 'everySeconds') => () =>
    Object.fromEntries(Array.from(jobs()?.runs() ?? [], ([name, runs]) => [name, runs[figure]]));
  return [
    {
      name: 'job_last_success_timestamp_seconds',
      help: 'When a job last ended without a fault; NaN if it never did since the start.',
      label: 'job_name',
      read: each('lastSuccess'),
    },
    {
      name: 'job_interval_seconds',
      help: 'Time between two runs of a job.',
      label: 'job_name',
      read: each('everySeconds'),
    },
    { name: 'job_failures_total', help: 'Failed runs of a job.', label: 'job_name', isCounter: true, read: each('failures') },
  ];
}

/** This process among those that share the database. */
function figuresOfNode({
  node,
  presence,
  channel,
  balance,
}: Pick<FigureSources, 'node' | 'presence' | 'channel' | 'balance'>): Figure[] {
  return [
    {
      name: 'bus_connected',
      help: '1 = connected to NATS, or the only process; 0 = other processes are reached later or not at all.',
      read: () => Number(channel.isConnected),
    },
    {
      name: 'nodes',
      help: 'Active processes at this database, at the last renewal of the lease.',
      read: () => node.stats().active,
    },
    {
      name: 'node_lease_age_seconds',
      help: 'Time since this process renewed its lease; after 15 seconds others may end it.',
      read: () => node.stats().leaseAgeMs / 1_000,
    },
    {
      name: 'routers_moved_total',
      help: 'Routers that came here from another process, and that left for one.',
      label: 'direction',
      isCounter: true,
      read: () => ({ in: presence.stats().taken, out: presence.stats().left }),
    },
    {
      name: 'routers_sent_elsewhere_total',
      help: 'Routers that were requested to connect again, since this process had more of them than the others.',
      isCounter: true,
      read: balance.sent,
    },
  ];
}
