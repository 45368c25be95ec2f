import type { Figure } from '../platform/metrics/index.ts';
import type { FigureSources } from './figures-of-routers.ts';

export function figuresOfJobs(jobs: FigureSources['jobs']): Figure[] {
  const each = (figure: 'lastSuccess' | 'failures' | 'everySeconds') => () =>
    Object.fromEntries(Array.from(jobs()?.runs() ?? [], ([name, runs]) => [name, runs[figure]]));
  return [
    {
      name: 'job_last_success_timestamp_seconds',
      help: 'When a job last ended without a fault; the start of the process until it has.',
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
export function figuresOfNode({
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
      name: 'node_clock_ahead_seconds',
      help: 'By how much the clock of this machine is ahead of that of PostgreSQL; negative = behind. Above a minute nothing that is old is deleted.',
      read: () => node.stats().clockAheadMs / 1_000,
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
