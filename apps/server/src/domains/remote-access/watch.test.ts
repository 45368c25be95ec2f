import { remoteAccess } from '@highline/contract';
import { expect, test } from 'vitest';
import { newId } from '../../kernel/ids.ts';
import type { Database } from '../../platform/ports/database.ts';
import type { DeviceLink } from '../../platform/ports/device-link.ts';
import type { Tunnel } from '../../platform/ports/tunnels.ts';
import { silentLog } from '../../testing/log.ts';
import type { Ends } from './ends.ts';
import { toActiveSession, defaultRemoteAccessTimeouts, type ActiveSession, type ActiveSessions } from './live-sessions.ts';
import { createWatch } from './watch.ts';

const MINUTE = 60_000;

/** The reason why a session ends at a tick; undefined when it continues. */
function tick(
  has: Partial<Pick<Tunnel, 'isUsed' | 'quietMs'>>,
  more: Partial<ActiveSession> = {},
): remoteAccess.EndReason | undefined {
  const scope = { kind: 'organization', mainAccountId: newId(), organizationId: newId() } as const;
  const opener = { accountId: newId(), email: 'a@b', name: '', role: 'admin', ...scope, address: '', sessionId: '' } as const;
  const session = toActiveSession(
    { id: newId(), deviceId: newId(), routerId: newId(), serial: 'S', type: 'ssh', client: null },
    scope,
    opener,
  );
  const tunnel: Tunnel = {
    probe: async () => null,
    traffic: { sent: 0, received: 0 },
    connect: () => Promise.reject(new Error('none')),
    open: () => Promise.reject(new Error('It is open.')),
    shut: () => {},
    isUsed: true,
    quietMs: 0,
    close: () => {},
    ended: Promise.resolve(),
    ...has,
  };
  const active: ActiveSessions = new Map([[session.id, { ...session, tunnel, ...more }]]);
  let reason: remoteAccess.EndReason | undefined;
  const ends: Ends = {
    end: () => Promise.resolve(false),
    endSoon: (_session, why) => void (reason = why),
    isEnding: () => false,
    reasonOf: () => undefined,
    idle: () => Promise.resolve(),
  };
  const readSession = () => Promise.resolve(undefined);
  const clock = { now: () => new Date() };
  createWatch({
    database: {} as Database,
    deviceLink: {} as DeviceLink,
    clock,
    log: silentLog,
    ends,
    active,
    timeouts: defaultRemoteAccessTimeouts,
    nodeName: 'n',
    readSession,
  }).tick();
  return reason;
}

test('a session ends after ten minutes without traffic, and after an hour', () => {
  expect(tick({ quietMs: 10 * MINUTE - 1 })).toBeUndefined();
  expect(tick({ quietMs: 10 * MINUTE })).toBe('idle');
  const begunAgo = (milliseconds: number) => ({ begunAt: performance.now() - milliseconds });
  expect(tick({}, begunAgo(59 * MINUTE))).toBeUndefined();
  expect(tick({}, begunAgo(60 * MINUTE))).toBe('time-limit');
  expect(tick({}, { ...begunAgo(60 * MINUTE), tunnel: undefined })).toBe('time-limit');
});

test('RMT-02-partial credentials work for five minutes; after them a session ends when the last visitor has left', () => {
  expect([defaultRemoteAccessTimeouts.credentialMs, remoteAccess.CREDENTIAL_SECONDS]).toEqual([300_000, 300]);
  expect(tick({ isUsed: true }, { isShut: true })).toBeUndefined();
  expect(tick({ isUsed: false }, { isShut: true })).toBe('expired');
  expect(tick({ isUsed: false }, { isShut: false })).toBeUndefined();
});
