import type { ReplicaReads } from '../platform/adapters/replica-reads.ts';
import type { Figure } from '../platform/metrics/index.ts';
import { build } from '../platform/process/version.ts';
import { figuresOfNode, figuresOfJobs } from './figures-of-node.ts';
import { figuresOfRouters, figuresOfPositions, type FigureSources } from './figures-of-routers.ts';

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
    ...figuresOfTls(sources.certificateExpiries),
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

function figuresOfTls(read: FigureSources['certificateExpiries']): Figure[] {
  if (read === undefined) return [];
  return [
    {
      name: 'certificate_expires_timestamp_seconds',
      help: 'When the first certificate in use of a file of our own TLS expires, by the setting that names the file.',
      label: 'file',
      read,
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
