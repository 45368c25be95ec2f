import { expect, test } from 'vitest';
import { decideCommand } from './decide.ts';
import { usualTimeouts, type CommandEvent, type CommandWork } from './facts.ts';

const NOW = new Date('2026-11-27T10:00:00Z');
const at = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);

const waiting: CommandWork = {
  id: 'a',
  organizationId: 'o',
  mainAccountId: 'm',
  deviceId: 'd',
  routerId: 'r',
  serial: 'HL-1',
  kind: 'reboot',
  argument: '',
  name: '',
  actor: {} as never,
  state: 'waiting',
  expiresAt: at(3_600),
  dueAt: NOW,
  sentAt: null,
  sends: 0,
  isBehind: false,
  window: null,
  reason: null,
  absence: null,
  isOnline: true,
  isHeldElsewhere: false,
  bootedAt: at(-600),
  resetAt: null,
  hasFile: true,
};
const sent: CommandWork = { ...waiting, state: 'sent', sends: 1, sentAt: at(-40), dueAt: at(-10) };
const back: CommandEvent = { routerId: 'r' };
const decide = (work: Partial<CommandWork>, events: readonly CommandEvent[] = [], mayAct = true) =>
  decideCommand({ ...waiting, ...work }, events, mayAct, NOW, usualTimeouts);

test('LIV-09-partial a command waits for its router, its time and the right of who sent it', () => {
  expect(decide({})).toMatchObject({ state: 'sent', sends: 1, isRequest: true, sentAt: NOW });
  expect(decide({ isOnline: false })).toMatchObject({ state: 'waiting', dueAt: at(3_600) });
  expect(decide({ isOnline: false, dueAt: at(3_600) }, [back])).toBeUndefined();
  expect(decide({ isHeldElsewhere: true })).toBeUndefined();
  expect(decide({ dueAt: at(5) })).toBeUndefined();
  expect(decide({ dueAt: at(5) }, [back])).toMatchObject({ state: 'sent' });
  expect(decide({ expiresAt: at(-1) })).toMatchObject({ state: 'expired', dueAt: null });
  expect(decide({}, [], false)).toMatchObject({ state: 'failed', reason: 'not-allowed', dueAt: null });
  expect(decide({ absence: 'gone', dueAt: at(5) })).toMatchObject({ state: 'cancelled', reason: 'gone' });
});

test('LIV-09-partial one without an answer is sent again, unless the router has restarted since', () => {
  expect(decide(sent)).toMatchObject({ state: 'sent', sends: 2, sentAt: at(-40), isRequest: true });
  expect(decide({ ...sent, sends: 3 })).toMatchObject({ state: 'failed', reason: 'no-answer' });
  expect(decide({ ...sent, sentAt: at(-5), dueAt: at(25) }, [back])).toBeUndefined();
  // Repeated just now: its router is looked at again, or is back, and the answer to the second request has its time.
  expect(decide({ ...sent, sends: 2, dueAt: at(29) }, [back])).toBeUndefined();
  expect(decide({ ...sent, isOnline: false })).toMatchObject({ state: 'sent', dueAt: at(3_600) });
  expect(decide({ ...sent, sends: 2, dueAt: at(3_600) }, [back])).toMatchObject({ state: 'sent', sends: 3 });
  expect(decide({ ...sent, bootedAt: at(-20) })).toMatchObject({ state: 'done' });
  // Switched on just before it was sent, and reported only now.
  expect(decide({ ...sent, bootedAt: at(-39.5) })).toMatchObject({ state: 'sent', sends: 2 });
  expect(decide({ ...sent, kind: 'restart-modem', bootedAt: at(-20) })).toMatchObject({ state: 'sent', sends: 2 });
  expect(decide({ ...sent, state: 'running', dueAt: NOW })).toMatchObject({ state: 'failed', reason: 'no-answer' });
});

test('LIV-09-partial a start alone is no factory reset: its cause, lost subscriptions, or a router that had accepted it are', () => {
  const reset = { ...sent, kind: 'factory-reset', bootedAt: at(-20) } as const;
  expect(decide(reset)).toMatchObject({ state: 'sent', sends: 2, isRequest: true });
  expect(decide({ ...reset, dueAt: at(10) }, [back])).toBeUndefined();
  expect(decide({ ...reset, sends: 3 })).toMatchObject({ state: 'failed', reason: 'no-answer' });
  expect(decide({ ...reset, resetAt: at(-60) })).toMatchObject({ state: 'sent', sends: 2 });
  expect(decide({ ...reset, resetAt: at(-10), dueAt: at(10) }, [back])).toMatchObject({ state: 'done', dueAt: null });
  expect(decide({ ...reset, state: 'running', dueAt: at(10) }, [back])).toMatchObject({ state: 'done' });
  expect(decide({ ...reset, state: 'running', bootedAt: at(-600), dueAt: at(10) }, [back])).toBeUndefined();
});

test('LIV-09-partial events of another command, late answers and repeated ends change nothing', () => {
  const answered = (id: string, type: 'running' | 'done'): CommandEvent => ({
    routerId: 'r',
    step: { id, event: { type: 'answered', outcome: type === 'done' ? { type, outputs: new Map() } : { type } } },
  });
  const completed: CommandEvent = { routerId: 'r', step: { id: 'a', event: { type: 'completed', failure: undefined } } };
  const quiet = { ...sent, dueAt: at(10) };
  expect(decide(quiet, [answered('b', 'done')])).toBeUndefined();
  expect(decide(quiet, [answered('a', 'running')])).toMatchObject({ state: 'running', dueAt: at(600) });
  expect(decide(quiet, [answered('a', 'running'), completed])).toMatchObject({ state: 'done', dueAt: null });
  expect(decide({ ...quiet, state: 'running' }, [answered('a', 'running')])).toBeUndefined();
  expect(decide({ ...waiting, dueAt: at(5) }, [completed])).toBeUndefined();
  const undelivered: CommandEvent = { routerId: 'r', step: { id: 'a', event: { type: 'undelivered' } } };
  expect(decide(quiet, [undelivered])).toMatchObject({ state: 'waiting', sends: 0, sentAt: null, dueAt: at(2) });
  // The first request may have been carried out: a start after it proves that, and the router is not restarted again.
  const repeated = { ...quiet, sends: 2 };
  const unsent = { state: 'sent', sends: 1, sentAt: at(-40), dueAt: at(2) } as const;
  expect(decide(repeated, [undelivered])).toEqual(unsent);
  expect(decide({ ...quiet, ...unsent, bootedAt: at(-20) }, [back])).toMatchObject({ state: 'done', dueAt: null });
  const busy = { cause: 'busy', code: 7005, message: '' } as const;
  const failed: CommandEvent = { routerId: 'r', step: { id: 'a', event: { type: 'completed', failure: busy } } };
  expect(decide(quiet, [failed])).toMatchObject({ state: 'waiting', dueAt: at(30) });
  expect(decide({ ...quiet, expiresAt: at(-1) }, [failed])).toMatchObject({ state: 'failed', reason: 'rejected' });
});

test('TPL-06-partial a backup that the router reports as done has failed when no file arrived', () => {
  const completed: CommandEvent = { routerId: 'r', step: { id: 'a', event: { type: 'completed', failure: undefined } } };
  const backup = { ...sent, state: 'running', kind: 'backup-config', dueAt: at(500) } as const;
  expect(decide({ ...backup, hasFile: false }, [completed])).toMatchObject({ state: 'failed', reason: 'no-file', dueAt: null });
  expect(decide(backup, [completed])).toMatchObject({ state: 'done' });
});

test('WIN-02-partial outside of its window a command waits, says for what, and expires at its time', () => {
  const closed = { ...waiting, closed: { waits: 'ignition' as const } };
  expect(decide(closed)).toMatchObject({ state: 'waiting', reason: 'window-ignition', dueAt: at(60) });
  expect(decide({ ...waiting, closed: { waits: 'hours', until: at(900) } })).toMatchObject({ dueAt: at(900) });
  expect(decide({ ...waiting, closed: { waits: 'hours', until: at(9_000) } })).toMatchObject({ dueAt: at(3_600) });
  expect(decide({ ...closed, expiresAt: NOW })).toMatchObject({ state: 'expired', dueAt: null });
  expect(decide({ ...closed, isOnline: false })?.isRequest).toBeUndefined();
});
