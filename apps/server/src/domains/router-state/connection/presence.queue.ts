import type { PresenceReason } from '@highline/contract';
import type { ServerNode } from '../../../platform/nodes/index.ts';
import type { Clock } from '../../../platform/ports/clock.ts';
import type { Contact } from '../../../platform/ports/contacts.ts';
import type { BootReport, ConnectivityKind, ReportedPatch, RouterChange } from './presence.changes.ts';
import type { Connection } from './presence.comparison.ts';
import type { ContactBook } from './presence.contacts.ts';
import type { PresenceWriter } from './presence.writer.ts';

/** Queues what becomes of a connection, with its line of the history, and what routers report. */
export function createChangeQueue(clock: Clock, writer: PresenceWriter, contacts: ContactBook, node: Pick<ServerNode, 'id'>) {
  /** The waiter of a change that includes this contact. A contact whose change fails is written by the next flush. */
  const savedWith = (routerId: string, contact: Contact) => ({
    resolve: () => contacts.saved(routerId, contact),
    reject: () => {},
  });

  const goOnline = (routerId: string, { since, epoch }: Connection, reason: PresenceReason, isRestated: boolean) => {
    const contact = contacts.record(routerId, clock.now());
    const state = { presence: 'online', since, reason, contact, epoch } as const;
    const kind = reason === 'cloned' ? 'cloned' : 'online';
    const event = { routerId, at: since, kind, reason, isRestated } as const;
    writer.add({ routerId, state, events: [event], waiters: [savedWith(routerId, contact)] });
  };

  const goOffline = (routerId: string, epoch: number, reason: PresenceReason, contact: Contact | null) => {
    const now = clock.now();
    const state = { presence: 'offline', since: now, reason, contact, epoch } as const;
    const event = { routerId, at: now, kind: 'offline', reason } as const;
    writer.add({ routerId, state, events: [event], waiters: contact === null ? [] : [savedWith(routerId, contact)] });
  };

  /** The router has been connected here, although the database says otherwise. */
  const restate = (routerId: string, { since, epoch }: Connection) => {
    const state = { presence: 'online', since, reason: 'connected', contact: null, epoch } as const;
    const event = { routerId, at: clock.now(), kind: 'online', reason: 'connected', isRestated: true } as const;
    writer.add({ routerId, state, events: [event], waiters: [] });
  };

  const kept = (change: Pick<RouterChange, 'routerId' | 'reported' | 'clockSkewMs' | 'events'>, mayWait = false) =>
    new Promise<void>((resolve, reject) => writer.add({ ...change, waiters: [{ resolve, reject }] }, mayWait));
  const recordSignal = (routerId: string, rssi: number | null | undefined) => {
    if (rssi !== undefined) contacts.record(routerId, clock.now(), rssi);
  };

  return {
    goOnline,
    goOffline,
    restate,
    happened(routerId: string, kind: ConnectivityKind, reason: string) {
      return kept({ routerId, events: [{ routerId, at: clock.now(), kind, reason }] });
    },
    booted(routerId: string, { cause, isReset, hash }: BootReport) {
      const [at, message] = [clock.now(), { hash, node: node.id }];
      const now = at.toISOString();
      const reported = { boot_heard_at: now, boot_message: message, ...(isReset ? { reset_seen_at: now } : {}) };
      return kept({ routerId, reported, events: [{ routerId, at, kind: 'boot', reason: cause, message }] });
    },
    recordReport(routerId: string, { rssi, ...reported }: ReportedPatch, clockSkewMs?: number) {
      recordSignal(routerId, rssi);
      return kept({ routerId, reported, clockSkewMs, events: [] });
    },
    recordChange(routerId: string, { rssi, ...reported }: ReportedPatch) {
      recordSignal(routerId, rssi);
      return kept({ routerId, reported, events: [] }, true);
    },
  };
}
