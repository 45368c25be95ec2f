import type { Server as SecureServer } from 'node:https';
import type { FastifyInstance } from 'fastify';
import type { Readiness } from './readiness.ts';
import { reportMissingFirmware } from '../domains/firmware/index.ts';
import { sealEarlierMails } from '../domains/mails/index.ts';
import { sweepAtStart } from '../transport/http/upload.ts';
import { outsideCalls } from '../platform/calls/call-steps.ts';
import { startJobs, type Job, type RunningJobs } from '../platform/jobs/runner.ts';
import { createSharedJobs } from '../platform/jobs/shared-jobs.store.ts';
import { listenAt } from '../transport/http/listen.ts';
import type { ListenerTls } from '../transport/http/tls.ts';
import type { LiveStreams } from '../transport/events/index.ts';
import { memoryJob } from '../platform/process/free-memory.ts';
import type { Dispatcher } from '../platform/outbox/index.ts';
import type { Deps } from '../platform/ports/deps.ts';
import type { Settings } from '../platform/settings/settings.ts';
import { checkMembership, type Membership } from './cells.ts';
import { type JobDeps, jobsOf } from './jobs.ts';
import type { Modules } from './modules.ts';
import { openMetrics } from './metrics.ts';
import { openRouterEndpoints } from './routers.ts';
import { closeCalls } from './calls.ts';
import type { ComposeOptions } from './options.ts';

export interface LifecycleParts
  extends
    JobDeps,
    Pick<Deps, 'clock' | 'log' | 'blobs' | 'mailSealing'>,
    Modules,
    Pick<
      ReturnType<typeof openRouterEndpoints>,
      'node' | 'presence' | 'telemetry' | 'positions' | 'usage' | 'telemetrySink' | 'tunnels' | 'gateway' | 'balance' | 'stop'
    > {
  readonly settings: Settings;
  readonly app: FastifyInstance;
  /** Undefined behind a proxy. */
  readonly tls: ListenerTls | undefined;
  /** Aborted when no more mails may be sent. */
  readonly stopping: AbortController;
  readonly dispatcher: Dispatcher;
  readonly liveStreams: LiveStreams;
  readonly metrics: ReturnType<typeof openMetrics>;
  readonly readiness: Readiness;
  readonly masterKeyJob: Job;
  /** The directory that this cell registers its names in. */
  readonly membership: Membership | undefined;
}

/** Time limit for running calls at a stop. */
const TIMEOUT_MS = 10_000;

/** Starts everything in order, and stops it in order: routers and consoles first, the database last. */
export function createLifecycle({ timeoutMs = TIMEOUT_MS }: Pick<ComposeOptions, 'timeoutMs'>, parts: LifecycleParts) {
  const { settings, database, clock, log, blobs, spoolFolder, mailSealing, app, dispatcher, liveStreams, metrics } = parts;
  const {
    node,
    presence,
    telemetry,
    positions,
    usage,
    telemetrySink,
    tunnels,
    gateway,
    balance,
    stop,
    rollouts,
    esims,
    bulkJobs,
    remoteAccess,
    opened,
    stopping,
  } = parts;
  const jobs = (): readonly Job[] => [
    ...jobsOf(parts),
    ...opened.flatMap(({ jobs: own = [] }) => own),
    parts.readiness.job,
    parts.masterKeyJob,
    node.lease,
    ...metrics.jobs,
    ...(parts.tls?.jobs(app.server as unknown as SecureServer) ?? []),
    presence.comparison,
    telemetry.retention,
    telemetry.rollups,
    positions.retention,
    usage.retention,
    ...(telemetrySink?.jobs ?? []),
    gateway.intervals,
    ...(settings.balancesRouters ? [balance.job] : []),
    memoryJob(() => ({ done: gateway.stats().reconciles.done, underWay: gateway.stats().reconciling }), log),
    rollouts.job,
    esims.job,
    ...bulkJobs.jobs,
    ...remoteAccess.jobs,
    ...(parts.membership === undefined ? [] : [parts.membership.job(database)]),
  ];
  let isStarted = false;
  let runner: RunningJobs | undefined;
  return {
    jobs: () => runner,
    inBackground: <Result>(work: () => Result) => (isStarted ? outsideCalls(work) : undefined),
    async listen(): Promise<void> {
      isStarted = true;
      dispatcher.start();
      await checkMembership(database, settings, parts.membership);
      await sweepAtStart(spoolFolder);
      await sealEarlierMails(database, mailSealing);
      await Promise.all([telemetry.start(), positions.start(), usage.start()]);
      await node.start();
      await parts.masterKeyJob.run(clock.now());
      await presence.start();
      await remoteAccess.start();
      await listenAt(app, settings.http);
      await metrics.listen(log);
      runner = startJobs(jobs(), clock, log, () => node.hasRightClock(), createSharedJobs(database));
      reportMissingFirmware(database, blobs, log).catch((error: unknown) =>
        log.warn({ err: error }, 'Failed to compare firmware files with the catalogue.'),
      );
    },
    async close(): Promise<void> {
      // Nothing runs besides the calls.
      if (!isStarted) return closeCalls(app, timeoutMs);
      liveStreams.closeAll();
      await metrics.close();
      // While the routers are still connected.
      await Promise.all([remoteAccess.stop(), bulkJobs.stop()]);
      tunnels.close();
      await gateway.drain();
      await closeCalls(app, timeoutMs);
      stopping.abort();
      await telemetrySink?.stop();
      await runner?.stop();
      for (const module of opened) await module.stop?.();
      await Promise.all([rollouts.stop(), esims.stop()]);
      await stop();
      await parts.transport.close();
      await dispatcher.stop();
    },
  };
}
