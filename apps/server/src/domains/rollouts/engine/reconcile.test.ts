import { expect, it } from 'vitest';
import type { RolloutWork } from './engine.store.ts';
import { defaultRolloutTimeouts, noRolloutStep, type Target } from './facts.ts';
import { reconcileRollouts, type DownloadCapacity, type RolloutEvent } from './reconcile.ts';

const now = new Date('2026-11-20T12:00:00Z');
const before = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
const SLOT = 'Device.DeviceInfo.FirmwareImage.2.';

const waiting: Target = {
  ...noRolloutStep,
  state: 'waiting',
  reason: null,
  percent: 0,
  attempt: 0,
  isCanary: false,
  checkedBy: null,
  updatedAt: before(900),
  dueAt: before(1),
};
const sent: Target = {
  ...waiting,
  state: 'downloading',
  phase: 'sent',
  attempt: 1,
  stepKey: 'step',
  slot: SLOT,
  begunAt: before(5),
  sentAt: before(5),
  sends: 1,
};

function workOf(target: Target, isHeldElsewhere: boolean): RolloutWork {
  return {
    organizationId: 'organization',
    mainAccountId: 'main',
    bindingId: 'binding',
    groupKey: 'group',
    deviceId: 'device',
    routerId: 'router',
    endpointId: 'endpoint',
    size: 1,
    desired: {
      kind: 'firmware',
      label: '2.0',
      model: 'HL',
      sha256: 'ab'.repeat(32),
      isSigned: true,
      schedule: 'immediate',
      postponeUntil: null,
      boundAt: before(900),
      state: 'running',
      hasOpenCanaries: false,
    },
    reported: {
      model: 'HL',
      firmware: '1.0',
      idle_slot: SLOT,
      ota: { firmware: true, bootable: true, config: true, signature: false },
    },
    isOnline: true,
    presenceSince: before(800),
    isSubscribed: true,
    isHeldElsewhere,
    isReverting: false,
    target,
  };
}

function reconcile(work: RolloutWork, events: readonly RolloutEvent[] = [], capacity: DownloadCapacity = { free: 1 }) {
  return { capacity, ...reconcileRollouts([work], events, capacity, now, defaultRolloutTimeouts)[0]! };
}
const eventOf = (type: 'taken' | 'undelivered'): RolloutEvent => ({ routerId: 'router', step: { key: 'step', event: { type } } });

it('NOD-01-partial a step begins on the node that holds the router; another one takes neither the step nor a download slot', () => {
  expect(reconcile(workOf(waiting, false))).toMatchObject({ request: 'send', target: { phase: 'sent' }, capacity: { free: 0 } });
  const elsewhere = reconcile(workOf(waiting, true));
  expect(elsewhere).toMatchObject({ request: undefined, capacity: { free: 1 } });
  expect(elsewhere.target).toEqual(waiting);
});

it('NOD-01-partial what a router reported to another node is stored, and its own node looks at it at once', () => {
  const { target, request } = reconcile(workOf(sent, true), [eventOf('taken')]);
  expect(request).toBeUndefined();
  expect(target).toMatchObject({ phase: 'sent', takenAt: now, dueAt: now });
});

it('NOD-02-partial a step that was not delivered is no attempt, and waits for its router', () => {
  const { target, request } = reconcile(workOf(sent, false), [eventOf('undelivered')]);
  expect(request).toBeUndefined();
  expect(target).toMatchObject({ phase: 'idle', state: 'waiting', reason: 'offline', attempt: 0, stepKey: null });
  expect(target.dueAt).toEqual(new Date(now.getTime() + defaultRolloutTimeouts.answerMs));
});

it('NOD-02-partial a step that was not delivered because its router moved is begun by the node that has it', () => {
  const { target } = reconcile(workOf(sent, true), [eventOf('undelivered')]);
  expect(target).toMatchObject({ phase: 'idle', state: 'waiting', dueAt: now });
});

it('a step that its router may have seen is not taken back', () => {
  const repeated = { ...sent, sentAt: before(2) };
  expect(reconcile(workOf(repeated, false), [eventOf('undelivered')]).target).toMatchObject({ phase: 'sent', stepKey: 'step' });
  const moving = { ...sent, percent: 20 };
  expect(reconcile(workOf(moving, false), [eventOf('undelivered')]).target).toMatchObject({ phase: 'sent', stepKey: 'step' });
});
