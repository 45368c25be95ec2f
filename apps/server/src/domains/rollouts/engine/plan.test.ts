import { rollouts } from '@highline/contract';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  defaultRolloutTimeouts,
  isFinished,
  noRolloutStep,
  type Desired,
  type Facts,
  type Reported,
  type Target,
} from './facts.ts';
import { checkOutcome, nextRolloutStep } from './plan.ts';

const now = new Date('2026-11-20T12:00:00Z');
const before = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
const after = (seconds: number) => before(-seconds);
const able = { firmware: true, bootable: true, config: true, signature: false };

const desired: Desired = {
  kind: 'firmware',
  label: '2.0',
  model: 'HL',
  sha256: 'ab'.repeat(32),
  isSigned: true,
  schedule: 'immediate',
  postponeUntil: null,
  boundAt: before(3_600),
  state: 'running',
  hasOpenCanaries: false,
  hasWaves: false,
};
const reported: Reported = {
  model: 'HL',
  firmware: '1.0',
  config: null,
  config_version: null,
  ota: able,
  idle_slot: 'F.2.',
  config_slot: 'C.1.',
};
const target: Target = {
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
  updatedAt: before(60),
  dueAt: null,
};
type Changes = { desired?: Partial<Desired>; reported?: Partial<Reported>; target?: Partial<Target> } & Partial<
  Pick<Facts, 'isOnline' | 'isSubscribed' | 'isBusy' | 'presenceSince'>
>;
function facts({ desired: d, reported: r, target: t, ...rest }: Changes = {}): Facts {
  const base = { isOnline: true, isSubscribed: true, isBusy: false, presenceSince: before(600) };
  return { ...base, ...rest, desired: { ...desired, ...d }, reported: { ...reported, ...r }, target: { ...target, ...t } };
}
const step = (changes: Changes) => nextRolloutStep(facts(changes), now, defaultRolloutTimeouts);
const sent = {
  phase: 'sent',
  state: 'downloading',
  stepKey: 'k',
  slot: 'F.2.',
  begunAt: before(20),
  sentAt: before(20),
  sends: 1,
} as const;
const bootup = { schedule: 'bootup' } as const;
const config = { kind: 'config', label: 'a.cfg', model: null } as const;
const booted = (at: Date): Partial<Reported> => ({ boot_heard_at: at.toISOString(), booted_at: at.toISOString() });

describe('GRP-10-partial what a router does next', () => {
  test.each<[string, Changes, object]>([
    ['immediate firmware begins', {}, { type: 'begin', slot: 'F.2.' }],
    ['a config file goes into its own slot', { desired: config }, { type: 'begin', slot: 'C.1.' }],
    ['a router that runs it has it', { reported: { firmware: '2.0' } }, { type: 'end', state: 'successful' }],
    ['an offline router waits', { isOnline: false }, { type: 'wait', reason: 'offline' }],
    ['a paused rollout begins nothing', { desired: { state: 'paused' } }, { type: 'wait', reason: 'paused' }],
    ['nor does a cancelled one', { desired: { state: 'cancelled' } }, { type: 'wait', reason: 'cancelled' }],
    ['without subscription it waits', { isSubscribed: false }, { type: 'wait', reason: 'not-subscribed' }],
    ['of another model it never begins', { reported: { model: 'XX' } }, { type: 'end', state: 'failed', reason: 'wrong-model' }],
    [
      'the bound version of another model is another file',
      { reported: { model: 'XX', firmware: '2.0' } },
      { type: 'end', state: 'failed', reason: 'wrong-model' },
    ],
    ['a model that stays unknown is another', { reported: { model: null } }, { type: 'end', reason: 'wrong-model' }],
    [
      'without the command it is unsupported',
      { reported: { ota: { ...able, firmware: false } } },
      { type: 'end', state: 'unsupported' },
    ],
    ['without a slot too', { reported: { idle_slot: null } }, { type: 'end', state: 'unsupported' }],
    ['canaries go first', { desired: { hasOpenCanaries: true } }, { type: 'wait', reason: 'canaries-first' }],
    ['a canary goes', { desired: { hasOpenCanaries: true }, target: { isCanary: true } }, { type: 'begin' }],
    ['one step at a time', { isBusy: true }, { type: 'wait', reason: 'queued' }],
    ['for the next boot firmware is downloaded now', { desired: bootup }, { type: 'begin' }],
    [
      'unless that cannot be chosen',
      { desired: bootup, reported: { ota: { ...able, bootable: false } } },
      { type: 'wait', reason: 'next-boot' },
    ],
    ['a config file waits for the boot', { desired: { ...config, ...bootup } }, { type: 'wait', reason: 'next-boot' }],
    ['and goes after it', { desired: { ...config, ...bootup }, reported: booted(before(60)) }, { type: 'begin' }],
    [
      'a boot before the binding does not count',
      { desired: { ...config, ...bootup }, reported: booted(before(7_200)) },
      { type: 'wait' },
    ],
    [
      'nor one before it might begin',
      { desired: { ...config, ...bootup }, target: { madeAt: before(30) }, reported: booted(before(60)) },
      { type: 'wait', reason: 'next-boot' },
    ],
    [
      'nor does a boot that was reported late',
      {
        desired: { ...config, ...bootup },
        reported: { boot_heard_at: before(60).toISOString(), booted_at: before(7_200).toISOString() },
      },
      { type: 'wait', reason: 'next-boot' },
    ],
    [
      'a router that sends no Boot! has restarted by its uptime',
      { desired: { ...config, ...bootup }, reported: { subscribed: false, booted_at: before(60).toISOString() } },
      { type: 'begin' },
    ],
    [
      'and has not by an uptime from before',
      { desired: { ...config, ...bootup }, reported: { subscribed: false, booted_at: before(7_200).toISOString() } },
      { type: 'wait', reason: 'next-boot' },
    ],
    [
      'before the postponed moment',
      { desired: { ...bootup, postponeUntil: after(60) }, reported: booted(before(5)) },
      { type: 'wait', reason: 'postponed' },
    ],
    [
      'after it, without a boot',
      { desired: { ...bootup, postponeUntil: before(60) }, reported: booted(before(90)) },
      { type: 'wait', reason: 'postponed' },
    ],
    [
      'after it, with the boot',
      { desired: { ...bootup, postponeUntil: before(60) }, reported: booted(before(5)) },
      { type: 'begin' },
    ],
    [
      'that boot was before the device joined the group',
      { desired: { ...bootup, postponeUntil: before(600), boundAt: before(60) }, reported: booted(before(90)) },
      { type: 'wait', reason: 'next-boot' },
    ],
    ['it waits for an answer', { target: sent }, { type: 'stay', until: after(10) }],
    ['no answer: once more', { target: { ...sent, sentAt: before(31) } }, { type: 'resend', after: 'silence' }],
    [
      'not for ever',
      { target: { ...sent, sentAt: before(31), sends: 3 } },
      { type: 'end', state: 'failed', reason: 'no-answer' },
    ],
    [
      'it was away: its silence does not count',
      { target: { ...sent, sends: 3 }, presenceSince: before(1) },
      { type: 'resend', after: 'absence' },
    ],
    [
      'while it is away nothing is sent',
      { target: { ...sent, sentAt: before(9_999), sends: 3 }, isOnline: false },
      { type: 'stay' },
    ],
    ['a taken step is left alone', { target: { ...sent, takenAt: before(19) } }, { type: 'stay' }],
    [
      'also when the connection was lost',
      { target: { ...sent, takenAt: before(19) }, presenceSince: before(1) },
      { type: 'stay' },
    ],
    [
      'but not when it restarted',
      { target: { ...sent, takenAt: before(19) }, presenceSince: before(1), reported: booted(before(2)) },
      { type: 'resend' },
    ],
    [
      'a restart counts',
      { target: { ...sent, takenAt: before(19), interruptions: 4 }, presenceSince: before(1), reported: booted(before(2)) },
      { type: 'resend', after: 'interruption' },
    ],
    [
      'and not for ever',
      { target: { ...sent, takenAt: before(19), interruptions: 5 }, presenceSince: before(1), reported: booted(before(2)) },
      { type: 'end', state: 'failed', reason: 'no-answer' },
    ],
    [
      'also where only the uptime shows it, and the answer was lost',
      { target: { ...sent, interruptions: 5 }, presenceSince: before(1), reported: { booted_at: before(9).toISOString() } },
      { type: 'end', state: 'failed', reason: 'no-answer' },
    ],
    [
      'a start before the step does not',
      { target: { ...sent, interruptions: 5 }, presenceSince: before(1), reported: { booted_at: before(99).toISOString() } },
      { type: 'resend', after: 'absence' },
    ],
    [
      'settings may be why it was away',
      { desired: { kind: 'settings' }, target: { ...sent, interruptions: 4 }, presenceSince: before(1) },
      { type: 'resend', after: 'interruption' },
    ],
    [
      'and are not sent for ever',
      { desired: { kind: 'settings' }, target: { ...sent, interruptions: 5 }, presenceSince: before(1) },
      { type: 'end', state: 'failed', reason: 'no-answer' },
    ],
    [
      'a slot that runs by now is not written again',
      { target: sent, presenceSince: before(1), reported: { idle_slot: 'F.1.' } },
      { type: 'check' },
    ],
    [
      'nor one that did not come up',
      {
        target: { ...sent, takenAt: before(19) },
        presenceSince: before(1),
        reported: { ...booted(before(2)), idle_status: 'ActivationFailed' },
      },
      { type: 'check' },
    ],
    [
      'unless that is of an earlier attempt',
      { target: sent, presenceSince: before(1), reported: { ...booted(before(2)), idle_status: 'ActivationFailed' } },
      { type: 'resend', after: 'interruption' },
    ],
    ['a paused rollout continues what it began', { target: sent, desired: { state: 'paused' } }, { type: 'stay' }],
    ['what is downloaded is chosen', { target: { ...sent, phase: 'downloaded' } }, { type: 'choose' }],
    [
      'not while the rollout is paused',
      { target: { ...sent, phase: 'downloaded', sends: 0 }, desired: { state: 'paused' } },
      { type: 'wait', reason: 'paused' },
    ],
    [
      'nor once it is cancelled',
      { target: { ...sent, phase: 'downloaded', sends: 0 }, desired: { state: 'cancelled' } },
      { type: 'end', state: 'waiting', reason: 'cancelled' },
    ],
    [
      'nor in a wave that was cut back',
      { target: { ...sent, phase: 'downloaded', sends: 0, isLaterWave: true } },
      { type: 'wait', reason: 'later-wave' },
    ],
    [
      'what may have been chosen is reverted',
      { target: { ...sent, phase: 'downloaded', state: 'applying' }, desired: { state: 'paused' } },
      { type: 'revert' },
    ],
    [
      'and not chosen while it is reverted',
      { target: { ...sent, phase: 'downloaded', state: 'waiting' } },
      { type: 'stay', until: after(70) },
    ],
    [
      'which is tried again, also while the rollout runs',
      { target: { ...sent, phase: 'downloaded', state: 'waiting', sentAt: before(90) } },
      { type: 'revert' },
    ],
    [
      'an image that did not come up meanwhile is not chosen again',
      {
        target: { ...sent, phase: 'downloaded', state: 'waiting' },
        reported: { ...booted(before(5)), idle_status: 'ActivationFailed' },
      },
      { type: 'end', state: 'rolled-back', reason: 'did-not-call-home' },
    ],
    ['and waits for the boot', { target: { ...sent, phase: 'staged' } }, { type: 'wait', reason: 'next-boot' }],
    ['after which it is checked', { target: { ...sent, phase: 'staged' }, reported: booted(before(5)) }, { type: 'check' }],
    [
      'a choice is reverted while the rollout is paused',
      { target: { ...sent, phase: 'staged' }, desired: { state: 'paused' } },
      { type: 'revert' },
    ],
    ['and in a wave that was cut back', { target: { ...sent, phase: 'staged', isLaterWave: true } }, { type: 'revert' }],
    ['what is applied is checked', { target: { ...sent, phase: 'applied' } }, { type: 'check' }],
    ['a failure is not tried again by itself', { target: { state: 'failed' } }, { type: 'keep' }],
    ['nor a rollback', { target: { state: 'rolled-back' } }, { type: 'keep' }],
    [
      'a router that comes to run it has it',
      { target: { state: 'failed' }, reported: { firmware: '2.0' } },
      { type: 'end', state: 'successful' },
    ],
    [
      'a router that runs another again does not have it',
      { target: { state: 'successful', attempt: 1 } },
      { type: 'end', state: 'failed', reason: 'not-in-force' },
    ],
    ['unless it was sent nothing: it begins', { target: { state: 'successful' } }, { type: 'wait', until: new Date(0) }],
    ['a router that learnt the command is checked again', { target: { state: 'unsupported' } }, { type: 'wait', reason: null }],
  ])('%s', (_, changes, expected) => {
    expect(step(changes)).toMatchObject(expected);
  });

  test.each<[string, Changes, object]>([
    ['the bound version: successful', { reported: { firmware: '2.0' } }, { state: 'successful' }],
    ['another, not restarted yet: still possible', {}, { type: 'stay' }],
    ['another after the boot: failed', { reported: booted(before(5)) }, { state: 'failed', reason: 'not-in-force' }],
    ['another, much later: failed', { target: { ...sent, sentAt: before(601) } }, { state: 'failed', reason: 'not-in-force' }],
    ['a slot that did not come up: rolled back', { reported: { idle_status: 'ActivationFailed' } }, { state: 'rolled-back' }],
    ['a config file without a comparable version is believed', { desired: config }, { state: 'successful' }],
    [
      'another version of it is not',
      { desired: config, reported: { config: 'a.cfg', config_version: 'cd'.repeat(32) } },
      { state: 'failed' },
    ],
    ['the same is', { desired: config, reported: { config: 'a.cfg', config_version: desired.sha256 } }, { state: 'successful' }],
    ...['20261122', '202611220915', 'deadbeef', '1.0', ''].map((version): [string, Changes, object] => [
      `a version of the agent’s own, '${version}', is no checksum`,
      { desired: config, reported: { config: 'a.cfg', config_version: version } },
      { state: 'successful' },
    ]),
  ])('checked, %s', (_, changes, expected) => {
    const base = { ...sent, phase: 'applied' as const };
    expect(
      checkOutcome(facts({ ...changes, target: { ...base, ...changes.target } }), now, defaultRolloutTimeouts),
    ).toMatchObject(expected);
  });

  const instant = fc.integer({ min: -10_000, max: 10_000 }).map(after);
  const anyFacts = fc.record({
    isOnline: fc.boolean(),
    isSubscribed: fc.boolean(),
    isBusy: fc.boolean(),
    presenceSince: fc.option(instant),
    desired: fc.record({
      kind: fc.constantFrom(...rollouts.bindingKinds),
      schedule: fc.constantFrom(...rollouts.schedules),
      postponeUntil: fc.option(instant),
      state: fc.constantFrom('running' as const, 'paused' as const, 'cancelled' as const),
      hasOpenCanaries: fc.boolean(),
    }),
    reported: fc.record(
      {
        model: fc.constantFrom('HL', 'XX', null),
        firmware: fc.constantFrom('1.0', '2.0', null),
        ota: fc.constantFrom(able, { ...able, firmware: false, config: false }, undefined),
      },
      { requiredKeys: ['model', 'firmware'] },
    ),
    target: fc.record({
      state: fc.constantFrom(...rollouts.targetStates),
      phase: fc.constantFrom('idle' as const, 'sent' as const, 'downloaded' as const, 'staged' as const, 'applied' as const),
      begunAt: instant,
      sentAt: instant,
      takenAt: fc.option(instant),
      sends: fc.integer({ min: 0, max: 4 }),
      isCanary: fc.boolean(),
    }),
  });

  test('a router that is off, or whose rollout is not running, is never sent anything new; being off never fails a router', () => {
    fc.assert(
      fc.property(anyFacts, (changes) => {
        const all = facts(changes as unknown as Changes);
        const next = nextRolloutStep(all, now, defaultRolloutTimeouts);
        const asks = ['begin', 'resend', 'choose', 'revert', 'check'].includes(next.type);
        if (!all.isOnline) {
          expect(asks).toBe(false);
          if (next.type === 'end') expect(next.state).toBe('successful');
        }
        if (next.type === 'begin' || next.type === 'choose') expect(all.desired.state).toBe('running');
        if (next.type === 'begin') {
          expect([all.isBusy, all.isSubscribed, all.target.phase, isFinished(all.target)]).toEqual([false, true, 'idle', false]);
        }
        if (next.type === 'end' && next.reason === 'wrong-model') expect(all.reported.model).not.toBe('HL');
      }),
      { numRuns: 2_000 },
    );
  });
});
