import { epochSeconds } from '../../kernel/calendar.ts';
import type { remoteAccess } from '@highline/contract';
import { announce } from '../../platform/outbox/announce.ts';
import type { Tx } from '../../platform/ports/database.ts';
import type { OrganizationScope } from '../../kernel/scope.ts';
import { recordRouterEvents } from '../router-state/index.ts';
import { type AuditAction, type AuditActor, recordAudit, sentence, serverActor } from '../logs/index.ts';
import type { EndedSession, RemoteSession } from './remote-access.store.ts';

/** Log the opening of a session, on the device's timeline too, and notify the consoles (RMT-01). */
export async function recordOpened(
  tx: Tx,
  scope: OrganizationScope,
  actor: AuditActor,
  session: RemoteSession,
  now: Date,
): Promise<void> {
  await recordSession(tx, scope, session, { state: 'opened' }, now);
  const action = sentenceOf(session, 'opened');
  await record(tx, scope, actor, session, { action, detail: {} }, now);
}

/** The same for issued credentials; neither name nor password is written anywhere. */
export async function recordCredentials(
  tx: Tx,
  scope: OrganizationScope,
  actor: AuditActor,
  session: RemoteSession,
  expires: Date,
  now: Date,
): Promise<void> {
  await recordSession(tx, scope, session, { state: 'viewed' }, now);
  const action = sentence(session.type === 'ssh' ? 'remote.ssh_viewed' : 'remote.gui_viewed', session.serial);
  await record(tx, scope, actor, session, { action, detail: { expires: expires.toISOString() } }, now);
}

/** The same for its end: the reason, and how long it was open, in seconds. @param actor if left out, it ended by itself */
export async function recordEnded(
  tx: Tx,
  scope: OrganizationScope,
  session: EndedSession,
  reason: remoteAccess.EndReason,
  now: Date,
  actor: AuditActor = serverActor,
): Promise<void> {
  await recordSession(tx, scope, session, { state: 'ended', reason }, now);
  const seconds = Math.max(0, epochSeconds(now) - epochSeconds(session.openedAt));
  const bytes = session.client === null ? {} : { bytesSent: session.sent, bytesReceived: session.received };
  const detail = { reason, seconds, openedBy: session.accountEmail, ...bytes };
  await record(tx, scope, actor, session, { action: sentenceOf(session, 'ended'), detail }, now);
}

function sentenceOf({ client, type, serial }: RemoteSession, what: 'opened' | 'ended'): AuditAction {
  if (client !== null) return sentence(`remote.client_${what}`, serial, `${client.address}:${client.port}`);
  return sentence(type === 'ssh' ? `remote.ssh_${what}` : `remote.gui_${what}`, serial);
}

async function recordSession(
  tx: Tx,
  scope: OrganizationScope,
  { id, routerId, deviceId, type: subject }: RemoteSession,
  what: { readonly state: string; readonly reason?: string },
  now: Date,
): Promise<void> {
  await recordRouterEvents(tx, [{ routerId, kind: 'remote', subject, remoteSessionId: id, ...what }], now);
  await announce(tx, scope, 'remote', [deviceId]);
}

/** The timeline has the session's own lines, so that the log's are not repeated there. */
async function record(
  tx: Tx,
  scope: OrganizationScope,
  actor: AuditActor,
  { deviceId, serial, type, client, id: session }: RemoteSession,
  { action, detail }: { readonly action: AuditAction; readonly detail: Readonly<Record<string, unknown>> },
  now: Date,
): Promise<void> {
  const subject = { kind: 'device', id: deviceId };
  await recordAudit(
    tx,
    scope.organizationId,
    actor,
    { action, subject, detail: { serial, type, session, ...(client !== null && { client }), ...detail }, devices: [] },
    now,
  );
}
