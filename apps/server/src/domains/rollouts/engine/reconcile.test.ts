import { describe, expect, it } from 'vitest';
import type { RolloutWork } from './engine.store.ts';
import { defaultRolloutTimeouts, noRolloutStep, type Target } from './facts.ts';
import { reconcileRollouts, type RolloutEvent } from './reconcile.ts';
import type { RolloutStepEvent } from './events.ts';
import { toFailure } from '../../../transport/usp/failures.ts';

const now = new Date('2026-11-20T12:00:00Z');
const before = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
const SLOT = 'Device.DeviceInfo.FirmwareImage.2.';

const waiting: Target = {
  ...noRolloutStep,
  state: 'waiting',
  reason: null,
  detail: null,
  percent: 0,
  attempt: 0,
  madeAt: null,
  isCanary: false,
  isLaterWave: false,
  checkedBy: null,
  downloadSince: null,
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
      hasWaves: false,
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

function reconcile(work: RolloutWork, events: readonly RolloutEvent[] = []) {
  return reconcileRollouts([work], events, now, defaultRolloutTimeouts)[0]!;
}
const eventOf = (type: 'taken' | 'undelivered'): RolloutEvent => ({ routerId: 'router', step: { key: 'step', event: { type } } });

it('NOD-01-partial a step begins on the node that holds the router; another one takes neither the step nor its place among the downloads', () => {
  const claimed = { ...waiting, downloadSince: before(1) };
  const begun = reconcile(workOf(claimed, false));
  expect(begun).toMatchObject({ request: 'send', target: { phase: 'sent', downloadSince: before(1) } });
  const elsewhere = reconcile(workOf(claimed, true));
  expect(elsewhere.request).toBeUndefined();
  expect(elsewhere.target).toEqual(claimed);
});

it('firmware and config files of any size wait for a place among the downloads, and lose it with the end of the download', () => {
  const queued = { phase: 'idle', state: 'waiting', reason: 'queued', dueAt: null, downloadSince: null };
  expect(reconcile(workOf(waiting, false)).target).toMatchObject(queued);
  const late = { ...waiting, downloadSince: before(defaultRolloutTimeouts.placeMs / 1_000) };
  expect(reconcile(workOf(late, false)).target).toMatchObject(queued);
  const ended = { type: 'completed', failure: toFailure(7_022, 'DownloadFailed') } as const;
  const running = { ...sent, downloadSince: before(5) };
  const failed = reconcile(workOf(running, false), [{ routerId: 'router', step: { key: 'step', event: ended } }]);
  expect(failed.target).toMatchObject({ state: 'failed', downloadSince: null });
  const absent = reconcile({ ...workOf({ ...waiting, downloadSince: before(1) }, false), isOnline: false });
  expect(absent.target).toMatchObject({ reason: 'offline', downloadSince: null });
  expect(reconcile(configOf(waiting)).target).toMatchObject(queued);
  expect(reconcile(configOf({ ...waiting, downloadSince: before(1) })).target).toMatchObject({ phase: 'sent' });
});

it.each([
  ['installation-failed: flash could not be written', { reason: 'installation-failed', detail: 'flash could not be written' }],
  [
    'Installation failed: <b>worn\u202e out</b>',
    { reason: 'installation-failed', detail: 'Installation failed: <b>worn out</b>' },
  ],
  ['download-failed', { reason: 'download-failed', detail: null }],
  ['out of paper', { reason: 'out of paper', detail: null }],
  ['cancelled by the user at the router', { reason: 'cancelled by the user at the router', detail: null }],
  ['cancelled', { reason: 'error 7022: cancelled', detail: null }],
])('ATT-04-partial the message %j of a router is kept next to our code for it', (message, expected) => {
  const event = { type: 'completed', failure: toFailure(7_022, message) } as const;
  const { target } = reconcile(workOf(sent, false), [{ routerId: 'router', step: { key: 'step', event } }]);
  expect(target).toMatchObject({ state: 'failed', ...expected });
});

it.each(['constructor', '__proto__', 'toString'])('GRP-10-partial the status %s of a slot is no state', (value) => {
  const { target } = reconcile(workOf(sent, false), [{ routerId: 'router', progress: { path: `${SLOT}Status`, value } }]);
  expect(target).toMatchObject({ phase: 'sent', state: 'downloading' });
});

function configOf(target: Target): RolloutWork {
  const work = workOf(target, false);
  const reported = { ...work.reported, config: 'old.cfg', config_slot: 'Device.DeviceInfo.VendorConfigFile.1.' };
  return {
    ...work,
    desired: { ...work.desired, kind: 'config', label: 'new.cfg', model: null, isSigned: false },
    reported,
  };
}

it('NOD-01-partial what a router reported to another node is stored, and its own node looks at it at once', () => {
  const { target, request } = reconcile(workOf(sent, true), [eventOf('taken')]);
  expect(request).toBeUndefined();
  expect(target).toMatchObject({ phase: 'sent', takenAt: now, dueAt: now });
});

it('NOD-02-partial a step that was not delivered is no attempt, and waits for its router', () => {
  const { target, request } = reconcile(workOf(sent, false), [eventOf('undelivered')]);
  expect(request).toBeUndefined();
  expect(target).toMatchObject({ phase: 'idle', state: 'waiting', reason: 'offline', attempt: 0, stepKey: null });
  expect(target.dueAt).toEqual(new Date(now.getTime() + defaultRolloutTimeouts.responseMs));
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

describe('GRP-10-partial a router that answers that it is busy', () => {
  const failure = toFailure(7_005, 'another download runs');
  const busy: RolloutEvent = { routerId: 'router', step: { key: 'step', event: { type: 'busy', failure } } };

  it('gives its place to others and is tried again after longer and longer pauses', () => {
    const first = reconcile(workOf({ ...sent, downloadSince: before(5) }, false), [busy]);
    expect(first).toMatchObject({
      request: undefined,
      target: {
        phase: 'idle',
        state: 'waiting',
        reason: 'queued',
        downloadSince: null,
        attempt: 0,
        busySince: now,
        dueAt: before(-60),
      },
    });
    // Other events of the router do not shorten the pause, and what is due waits for a place.
    expect(reconcile(workOf(first.target, false)).target).toEqual(first.target);
    expect(reconcile(workOf({ ...first.target, dueAt: before(1) }, false)).target).toMatchObject({
      reason: 'queued',
      dueAt: null,
    });
    const later = reconcile(workOf({ ...sent, busySince: before(1_000) }, false), [busy]);
    expect(later.target).toMatchObject({ phase: 'idle', busySince: before(1_000), dueAt: before(-1_000) });
  });

  it('is tried again after its next boot when the rollout is for the next boot: its vehicle may be moving by then', () => {
    const work = workOf({ ...sent, downloadSince: before(5) }, false);
    const booted = { boot_heard_at: before(60).toISOString(), booted_at: before(60).toISOString() };
    const ota = { firmware: true, bootable: false, config: true, signature: false };
    const bootup = {
      ...work,
      desired: { ...work.desired, schedule: 'bootup' as const },
      reported: { ...work.reported, ...booted, ota },
    };
    expect(reconcile(bootup, [busy]).target).toMatchObject({ phase: 'idle', state: 'waiting', reason: 'next-boot', dueAt: null });
  });

  it('has failed with its message after a day', () => {
    const { target } = reconcile(workOf({ ...sent, busySince: before(86_400) }, false), [busy]);
    expect(target).toMatchObject({ phase: 'idle', state: 'failed', reason: 'another download runs', busySince: null });
  });

  it('keeps a step that was sent before, which may be why, and loses it with its last repetition', () => {
    const repeated = { ...sent, begunAt: before(40), sends: 2, downloadSince: before(40) };
    const kept = reconcile(workOf(repeated, false), [busy]);
    expect(kept.target).toMatchObject({ phase: 'sent', stepKey: 'step', takenAt: now, sends: 2 });
    const last = reconcile(workOf({ ...repeated, sends: 3 }, false), [busy]);
    expect(last.target).toMatchObject({ phase: 'idle', state: 'waiting', reason: 'queued', downloadSince: null });
  });

  it('is busy since its first such answer, however long ago its step began', () => {
    const parked = { ...sent, begunAt: before(172_800), sentAt: now, sends: 3 };
    const last = reconcile(workOf(parked, false), [busy]);
    expect(last.target).toMatchObject({ phase: 'idle', state: 'waiting', reason: 'queued', busySince: now });
    const kept = reconcile(workOf({ ...parked, sends: 1 }, false), [busy]);
    expect(kept.target).toMatchObject({ phase: 'sent', takenAt: now, busySince: now });
  });

  it('is no longer busy once it downloads, restarts or was away', () => {
    const earlier = { ...sent, busySince: before(172_800), takenAt: before(5) };
    const path = `${SLOT}X_HIGHLINE_Progress`;
    const downloads = reconcile(workOf(earlier, false), [{ routerId: 'router', progress: { path, value: '20' } }]);
    expect(downloads.target).toMatchObject({ percent: 20, busySince: null });
    const validates = reconcile(workOf(earlier, false), [
      { routerId: 'router', progress: { path: `${SLOT}Status`, value: 'Validating' } },
    ]);
    expect(validates.target).toMatchObject({ state: 'verifying', busySince: null });
    const cut = toFailure(7_022, 'The operation did not complete before reboot');
    const restarts = reconcile(workOf(earlier, false), [
      { routerId: 'router', step: { key: 'step', event: { type: 'completed', failure: { ...cut, cause: 'interrupted' } } } },
    ]);
    expect(restarts.target).toMatchObject({ phase: 'sent', sentAt: now, busySince: null });
    const back = { ...workOf({ ...earlier, takenAt: null }, false), presenceSince: before(1) };
    expect(reconcile(back)).toMatchObject({ request: 'send', target: { sentAt: now, busySince: null } });
  });
});

describe('GRP-10-partial a restart during the download is not the one that starts the image', () => {
  const bootAt = before(600).toISOString();
  /** A router that restarted ten minutes ago, halfway through its download. */
  function restarted(target: Target, schedule: 'immediate' | 'bootup'): RolloutWork {
    const work = workOf({ ...target, begunAt: before(1_200), sentAt: before(590), takenAt: before(590) }, false);
    const reported = { ...work.reported, boot_heard_at: bootAt, booted_at: bootAt };
    return { ...work, presenceSince: before(595), desired: { ...work.desired, schedule }, reported };
  }
  const stepEvent = (event: RolloutStepEvent): RolloutEvent => ({ routerId: 'router', step: { key: 'step', event } });

  it('for the next boot: it waits for a boot after its choice', () => {
    const downloaded = reconcile(restarted(sent, 'bootup'), [stepEvent({ type: 'completed' })]);
    expect(downloaded).toMatchObject({ request: 'choose', target: { phase: 'downloaded' } });
    const work = restarted(sent, 'bootup');
    const staged = reconcile({ ...work, target: downloaded.target }, [stepEvent({ type: 'chosen' })]);
    expect(staged).toMatchObject({ request: undefined, target: { phase: 'staged', state: 'waiting', reason: 'next-boot' } });
    const later = now.toISOString();
    const reported = { ...work.reported, boot_heard_at: later, booted_at: later };
    expect(reconcile({ ...work, reported, target: staged.target }).request).toBe('check');
  });

  it('immediately: one that completes before it restarts has time for that', () => {
    const work = restarted(sent, 'immediate');
    const applied = reconcile(work, [stepEvent({ type: 'completed' })]);
    expect(applied).toMatchObject({ request: 'check', target: { phase: 'applied', state: 'rebooting' } });
    const checked = reconcile({ ...work, target: applied.target }, [stepEvent({ type: 'checked' })]);
    expect(checked.target).toMatchObject({ phase: 'applied', state: 'rebooting' });
  });

  it('one that completes once it runs its slot with another version has failed at once', () => {
    const work = restarted(sent, 'immediate');
    const reported = { ...work.reported, idle_slot: 'Device.DeviceInfo.FirmwareImage.1.' };
    const applied = reconcile({ ...work, reported }, [stepEvent({ type: 'completed' })]);
    const checked = reconcile({ ...work, reported, target: applied.target }, [stepEvent({ type: 'checked' })]);
    expect(checked.target).toMatchObject({ state: 'failed', reason: 'not-in-force' });
  });
});

describe('GRP-10-partial what a router did by itself', () => {
  const bootAt = before(700).toISOString();

  it('a file that it replaced without a boot waits for the next boot, though it has booted since the file was bound', () => {
    const work = workOf({ ...waiting, state: 'successful' }, false);
    const desired = { ...work.desired, schedule: 'bootup' } as const;
    // A router that cannot choose its boot slot, which would restart at once.
    const ota = { firmware: true, bootable: false, config: true, signature: false };
    const reported = { ...work.reported, ota, boot_heard_at: bootAt, booted_at: bootAt };
    const replaced = { ...work, desired, reported };
    const again = reconcile(replaced);
    expect(again.target).toMatchObject({ state: 'waiting', madeAt: now });
    expect(reconcile({ ...replaced, target: again.target })).toMatchObject({
      request: undefined,
      target: { state: 'waiting', reason: 'next-boot' },
    });
  });

  it('an image that failed its trial while its choice was reverted is rolled back', () => {
    const chosen: Target = {
      ...sent,
      phase: 'downloaded',
      state: 'waiting',
      reason: 'next-boot',
      begunAt: before(900),
      sends: 1,
    };
    const work = workOf(chosen, false);
    const desired = { ...work.desired, schedule: 'bootup', state: 'paused' } as const;
    const reported = { ...work.reported, idle_status: 'ActivationFailed', boot_heard_at: bootAt, booted_at: bootAt };
    const reverted = reconcile({ ...work, desired, reported }, [
      { routerId: 'router', step: { key: 'step', event: { type: 'reverted' } } },
    ]);
    expect(reverted.target).toMatchObject({ state: 'rolled-back', reason: 'did-not-call-home' });
  });
});
