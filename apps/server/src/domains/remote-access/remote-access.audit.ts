import type { remoteAccess } from '@highline/contract';
import { announce } from '../../live/announce.ts';
import type { Tx } from '../../ports/database.ts';
import type { OrganizationScope } from '../../scope.ts';
import { recordRouterEvents } from '../history/index.ts';
import { recordAudit, type AuditActor } from '../logs/index.ts';
import { epochSeconds } from './remote-access.queries.ts';
import type { EndedSession, RemoteSession } from './remote-access.store.ts';

/** Who ends what nobody ended: the system, for the person who opened it. */
const itself: AuditActor = { accountId: null, email: 'Highline', role: 'system', address: '' };

const names = { ssh: 'SSH session', gui: 'web page session' } as const satisfies Record<remoteAccess.ConnectionType, string>;

/** Consoles, the log and the device's timeline hear that a session was opened (RMT-01). */
export async function tellOpened(
  tx: Tx,
  scope: OrganizationScope,
  actor: AuditActor,
  session: RemoteSession,
  now: Date,
): Promise<void> {
  await tell(tx, scope, session, { state: 'opened' }, now);
  const action = `Opened an ${names[session.type]} to device ${session.serial}`.replace('an web', 'a web');
  await record(tx, scope, actor, session, { action, detail: {} }, now);
}

/** The same of credentials that were told; neither name nor password is written anywhere. */
export async function tellCredentials(
  tx: Tx,
  scope: OrganizationScope,
  actor: AuditActor,
  session: RemoteSession,
  expires: Date,
  now: Date,
): Promise<void> {
  await tell(tx, scope, session, { state: 'told' }, now);
  const action = `Was told the credentials of the ${names[session.type]} to device ${session.serial}`;
  await record(tx, scope, actor, session, { action, detail: { expires: expires.toISOString() } }, now);
}

/** The same of its end: why, and how long it was open, in seconds. @param actor left out, it ended by itself */
export async function tellEnded(
  tx: Tx,
  scope: OrganizationScope,
  session: EndedSession,
  reason: remoteAccess.EndReason,
  now: Date,
  actor: AuditActor = itself,
): Promise<void> {
  await tell(tx, scope, session, { state: 'ended', reason }, now);
  const seconds = Math.max(0, epochSeconds(now) - epochSeconds(session.openedAt));
  const action = `Ended the ${names[session.type]} to device ${session.serial}`;
  await record(tx, scope, actor, session, { action, detail: { reason, seconds, openedBy: session.accountEmail } }, now);
}

async function tell(
  tx: Tx,
  scope: OrganizationScope,
  { id, routerId, deviceId, type: subject }: RemoteSession,
  what: { readonly state: string; readonly reason?: string },
  now: Date,
): Promise<void> {
  await recordRouterEvents(tx, [{ routerId, kind: 'remote', subject, remoteSessionId: id, ...what }], now);
  await announce(tx, scope, 'remote', [deviceId]);
}

/** On the timeline the session's own lines stand, so that the log's need not. */
async function record(
  tx: Tx,
  scope: OrganizationScope,
  actor: AuditActor,
  { deviceId, serial, type, id: session }: RemoteSession,
  { action, detail }: { readonly action: string; readonly detail: Readonly<Record<string, unknown>> },
  now: Date,
): Promise<void> {
  const subject = { kind: 'device', id: deviceId };
  await recordAudit(
    tx,
    scope.organizationId,
    actor,
    { action, subject, detail: { serial, type, session, ...detail }, devices: [] },
    now,
  );
}
