import type { AuditKey } from '../platform/adapters/audit/key.ts';
import { compareCrossings } from '../domains/alerts/index.ts';
import { purgeRateWindows, purgeSessions } from '../domains/accounts/index.ts';
import { purgeKeys } from '../domains/api-keys/index.ts';
import { purgeBulkJobs } from '../domains/bulk-jobs/index.ts';
import { computeDeviceHealth, mergeDeviceCounts, purgeArchivedDevices, recordOnlineShares } from '../domains/devices/index.ts';
import { sweepFirmwareBlobs } from '../domains/firmware/index.ts';
import { purgeGeofenceEvents, completeCrossings } from '../domains/geofences/index.ts';
import { purgeRouterEvents } from '../domains/router-state/index.ts';
import { createCheckpoints, createLogRetention } from '../domains/logs/index.ts';
import { createMailSealing, deliverDueMails, purgeMails } from '../domains/mails/index.ts';
import { purgeEvents, notifyEvents, notifyExpiries } from '../domains/notifications/index.ts';
import { organizationFiguresJob, organizationRetentionJob, purgeOrganizations } from '../domains/organizations/index.ts';
import { purgeEndedBindings } from '../domains/rollouts/index.ts';
import { purgeDeliveries, recordEndingSubscriptions } from '../domains/webhooks/index.ts';
import { purgeNodes } from '../platform/nodes/index.ts';
import { purgeIdempotentCalls } from '../platform/idempotency/index.ts';
import { purgeRecordedCalls } from '../platform/node-rpc/index.ts';
import { sweepUploads } from '../transport/http/upload.ts';
import type { Job } from '../platform/jobs/runner.ts';
import { purgeOutbox } from '../platform/outbox/index.ts';
import type { CheckpointStore } from '../platform/ports/checkpoints.ts';
import type { MasterKey } from '../kernel/sealing.ts';
import type { Deps } from '../platform/ports/deps.ts';
import type { MailTransport } from '../platform/ports/mail.ts';
import type { Settings } from '../platform/settings/settings.ts';

export interface JobDeps extends Pick<Deps, 'database' | 'clock' | 'log' | 'deviceLink' | 'blobs'> {
  readonly settings: Settings;
  readonly auditKey: AuditKey;
  readonly masterKey: MasterKey;
  readonly checkpoints: CheckpointStore;
  readonly transport: MailTransport;
  /** Folder of uploads until they are processed. */
  readonly spoolFolder: string;
  /** Address of the console, without a trailing slash. */
  readonly origin: () => string;
  /** Aborted when no more mails may be sent. */
  readonly stopping: AbortSignal;
}

const MINUTE = 60_000;

/** All scheduled jobs; each limits the size of a table or processes a queue. */
export function jobsOf(deps: JobDeps): Job[] {
  const { settings, database, deviceLink, blobs } = deps;
  return [
    { name: 'abandoned uploads', everyMs: 60 * MINUTE, run: (now) => sweepUploads(deps.spoolFolder, now) },
    ...auditJobs(deps),
    ...mailJobs(deps),
    { name: 'outbox retention', everyMs: 5 * MINUTE, run: (now) => purgeOutbox(database, now) },
    { name: 'session retention', everyMs: 10 * MINUTE, run: (now) => purgeSessions(database, now) },
    { name: 'rate window retention', everyMs: 10 * MINUTE, run: (now) => purgeRateWindows(database, now) },
    { name: 'firmware files', everyMs: 60 * MINUTE, run: (now) => sweepFirmwareBlobs(database, blobs, now) },
    { name: 'ended bindings', everyMs: 60 * MINUTE, run: (now) => purgeEndedBindings(database, now) },
    { name: 'ended nodes', everyMs: 60 * MINUTE, run: () => purgeNodes(database) },
    { name: 'calls with an Idempotency-Key', everyMs: 60 * MINUTE, run: () => purgeIdempotentCalls(database) },
    { name: 'recorded calls', everyMs: 10 * MINUTE, run: () => purgeRecordedCalls(database) },
    { name: 'archived devices', everyMs: 60 * MINUTE, run: (now) => purgeArchivedDevices(database, now) },
    { name: 'bulk jobs: retention', everyMs: 60 * MINUTE, run: (now) => purgeBulkJobs(database, now) },
    {
      name: 'webhooks: retention',
      everyMs: 60 * MINUTE,
      run: (now) => purgeDeliveries(database, new Date(now.getTime() - settings.webhooks.logDays * 24 * 60 * MINUTE)),
    },
    { name: 'webhooks: ending subscriptions', everyMs: 30 * MINUTE, run: (now) => recordEndingSubscriptions(database, now) },
    { name: 'API keys: retention', everyMs: 60 * MINUTE, run: (now) => purgeKeys(database, now) },
    { name: 'counts of devices', everyMs: 10_000, run: () => mergeDeviceCounts(database) },
    { name: 'health of devices', everyMs: MINUTE, run: () => computeDeviceHealth(database) },
    onlineSharesJob(database),
    { name: 'deleted organizations', everyMs: 60 * MINUTE, run: (now) => purgeOrganizations({ database, deviceLink }, now) },
    {
      name: 'events of geofences',
      everyMs: 60 * MINUTE,
      run: (now) => purgeGeofenceEvents(database, settings.telemetryDays, now),
    },
    {
      name: 'silent routers at geofences',
      everyMs: 5_000,
      run: (now) =>
        completeCrossings(database, now, {
          reportSeconds: settings.reportSeconds,
          onCrossed: (tx, deviceIds) => compareCrossings(tx, deviceIds, now),
        }),
    },
    { name: 'router events', everyMs: 60 * MINUTE, run: (now) => purgeRouterEvents(database, settings.telemetryDays, now) },
    organizationFiguresJob(database, settings.expiringDays),
    organizationRetentionJob(database, settings.telemetryDays),
  ];
}

/** The share of devices online, from the start of this process on. */
function onlineSharesJob(database: JobDeps['database']): Job {
  let since: Date | undefined;
  return {
    name: 'online shares',
    everyMs: MINUTE,
    run: (now) => recordOnlineShares(database, now, (since ??= now)),
  };
}

/** Checkpoint the log outside the database, and delete entries beyond its retention. */
function auditJobs({ database, log, auditKey, checkpoints }: JobDeps): Job[] {
  const witness = { database, store: checkpoints, privateKey: auditKey.privateKey };
  return [
    { name: 'audit checkpoints', everyMs: 15 * MINUTE, run: createCheckpoints(witness) },
    { name: 'log retention', everyMs: 60 * MINUTE, run: createLogRetention({ ...witness, log }) },
  ];
}

/** Create mails as soon as something happens, within their throttle windows. */
function mailJobs({ settings, masterKey, database, clock, log, transport, origin, stopping }: JobDeps): Job[] {
  const mailing = { database, clock, log, origin };
  const sealing = createMailSealing(masterKey);
  const keepsText = settings.mode === 'demo';
  const delivery = { database, transport, sealing, keepsText, now: () => clock.now(), log, stopping };
  return [
    { name: 'mail', everyMs: 2_000, run: () => deliverDueMails(delivery) },
    { name: 'mail retention', everyMs: 60 * MINUTE, run: (now) => purgeMails(database, now) },
    { name: 'event notifications', everyMs: 2_000, run: () => notifyEvents(mailing) },
    { name: 'ending subscriptions', everyMs: 10 * MINUTE, run: () => notifyExpiries(mailing) },
    { name: 'event retention', everyMs: 60 * MINUTE, run: (now) => purgeEvents(database, now) },
  ];
}
