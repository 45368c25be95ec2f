import { routerBackups, sentCommands, type Right } from '@highline/contract';
import { forEachOrganization } from '../../kernel/for-each-organization.ts';
import type { Actor } from '../../kernel/scope.ts';
import { addDays, dayIn, instantOf } from '../../kernel/calendar.ts';
import type { Job } from '../../platform/jobs/runner.ts';
import type { Database, Tx } from '../../platform/ports/database.ts';
import { announce } from '../../platform/outbox/announce.ts';
import type { Allowed } from '../accounts/index.ts';
import { endSystemAlert, openMailedAlert } from '../alerts/index.ts';
import { sendToMany } from '../commands/index.ts';
import { recordAudit, sentence, type AuditActor } from '../logs/index.ts';
import {
  deleteLeftBackups,
  deleteOldBackups,
  deleteOldTransfers,
  listNightlyBackups,
  noteStopped,
  takeDueDevices,
  type NightlyBackup,
} from './nightly.job.queries.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Devices of one transaction, and of one run of an organization. */
const BATCH = 500;
/** A vehicle that is parked at night is backed up when it starts; the next night comes after it. */
const WAIT_HOURS = 20;
/** After the night's end what a stopped server missed is begun for so long; later the next night does it. */
const LATE_HOURS = 2;
/** Devices that were deleted can be restored so long. */
const ARCHIVED_DAYS = 30;
const TRANSFER_DAYS = 2;
const itself: AuditActor = { accountId: null, email: 'Highline', role: 'system', address: '' };

export interface NightlyDeps {
  readonly database: Database;
  /** What someone may do now without a call of theirs. */
  readonly findAllowed: (actor: Actor, right: Right) => Promise<Allowed | undefined>;
  /** Scheme, name and port of links in mails. */
  readonly origin: () => string;
}

/** Backs up routers at night where an organization wants that, and deletes what is not kept any longer. */
export function backupJobs(deps: NightlyDeps): readonly Job[] {
  return [
    { name: 'backups of routers: nightly', everyMs: 60_000, isShared: true, run: (now) => beginNightly(deps, now) },
    { name: 'backups of routers: retention', everyMs: HOUR_MS, run: (now) => purgeBackups(deps.database, now) },
  ];
}

/** Begin the backups whose turn has come. */
export async function beginNightly(deps: NightlyDeps, now: Date): Promise<void> {
  const idOf = ({ scope }: NightlyBackup) => scope.organizationId;
  await forEachOrganization(await listNightlyBackups(deps.database.read), idOf, async (nightly) => {
    const night = nightOf(nightly, now);
    if (night !== undefined) await beginIfAllowed(deps, nightly, night, now);
  });
}

/** Nothing is begun for who left, or lost the right to these settings or to commands: each command would only fail, every night at each router. */
async function beginIfAllowed(deps: NightlyDeps, nightly: NightlyBackup, night: Night, now: Date): Promise<void> {
  const needed = [routerBackups.saveSettings, sentCommands.sendCommand];
  const allowed = await Promise.all(needed.map((right) => deps.findAllowed(nightly.author, right)));
  const mayAct = allowed.every((each) => each !== undefined);
  if (mayAct === nightly.isStopped) await deps.database.write((tx) => changeStopped(tx, deps, nightly, mayAct, now));
  if (mayAct) await beginOf(deps.database, nightly, night, now);
}

async function changeStopped(
  tx: Tx,
  { origin }: NightlyDeps,
  { scope, author }: NightlyBackup,
  mayAct: boolean,
  now: Date,
): Promise<void> {
  if (!(await noteStopped(tx, scope, author, mayAct ? null : now))) return;
  const { organizationId: id } = scope;
  const name = author.key?.label ?? author.email;
  const alert = { kind: 'backups-stopped', about: id, name, since: now, page: '/backups' } as const;
  await (mayAct ? endSystemAlert(tx, scope, alert, now) : openMailedAlert(tx, scope, alert, origin(), now));
  await announce(tx, scope, 'backups', []);
  const action = sentence(mayAct ? 'backup.continued' : 'backup.stopped', name);
  await recordAudit(tx, id, itself, { action, subject: { kind: 'organization', id }, detail: {} }, now);
}

interface Night {
  readonly night: string;
  readonly secondsSince: number;
}

/** The night that is now; undefined by day. A night that begins before midnight has the date of its beginning. */
export function nightOf({ hour, zone }: Pick<NightlyBackup, 'hour' | 'zone'>, now: Date): Night | undefined {
  const today = dayIn(zone, now);
  for (const night of [today, addDays(today, -1)]) {
    const since = now.getTime() - instantOf(zone, night, hour * 60).getTime();
    if (since >= 0)
      return since < (routerBackups.NIGHT_HOURS + LATE_HOURS) * HOUR_MS
        ? { night, secondsSince: Math.floor(since / 1_000) }
        : undefined;
  }
  return undefined;
}

async function beginOf(database: Database, { scope, author }: NightlyBackup, night: Night, now: Date): Promise<void> {
  await database.write(async (tx) => {
    const devices = await takeDueDevices(tx, scope, { ...night, limit: BATCH });
    if (devices.length === 0) return;
    const order = { kind: 'backup-config', argument: '', name: '' } as const;
    await sendToMany(tx, scope, author, { order, wait: WAIT_HOURS, job: null }, devices, now);
  });
}

/** Delete what is not kept any longer. */
export async function purgeBackups(database: Database, now: Date): Promise<void> {
  const archivedBefore = new Date(now.getTime() - ARCHIVED_DAYS * DAY_MS);
  const inBatches = async (remove: (limit: number) => Promise<number>): Promise<void> => {
    while ((await remove(BATCH)) === BATCH);
  };
  await inBatches((limit) => database.write((tx) => deleteOldBackups(tx, now, limit)));
  await inBatches((limit) => database.write((tx) => deleteLeftBackups(tx, archivedBefore, limit)));
  await database.write((tx) => deleteOldTransfers(tx, new Date(now.getTime() - TRANSFER_DAYS * DAY_MS)));
}
