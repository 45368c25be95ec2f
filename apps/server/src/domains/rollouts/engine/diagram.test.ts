import { rollouts } from '@highline/contract';
import { expect, test } from 'vitest';
import { readDiagram, SeenTransitions } from '../../../testing/state-diagram.ts';
import { applyRolloutStep } from './apply.ts';
import type { RolloutWork } from './engine.store.ts';
import { applyRolloutEvent, progress, type RolloutStepEvent } from './events.ts';
import { defaultRolloutTimeouts, noRolloutStep, type Facts, type Reported, type Target } from './facts.ts';
import { checkOutcome, isStaged, nextRolloutStep } from './plan.ts';
import { toFailure } from '../../../transport/usp/failures.ts';

const now = new Date('2026-11-20T12:00:00Z');
const before = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
const YES_NO = [true, false] as const;
/** What the router runs, in a rollout in this state. */
const RUNS = [
  ['bound', 'running'],
  ['another', 'running'],
  ['unknown', 'running'],
  ['another', 'paused'],
  ['another', 'cancelled'],
] as const;

/** The state of a target in the diagram: its phase, and what users see. */
const nodeOf = ({ phase, state }: Target): string => `${phase}_${state}`.replaceAll('-', '_');

const facts: Omit<Facts, 'target'> = {
  desired: {
    kind: 'firmware',
    label: '2.0',
    model: 'HL',
    sha256: 'ab'.repeat(32),
    isSigned: true,
    schedule: 'immediate',
    postponeUntil: null,
    boundAt: before(9_000),
    state: 'running',
    hasOpenCanaries: false,
    hasWaves: false,
  },
  reported: { model: 'HL', firmware: '1.0', config: 'old.cfg', idle_slot: 'F.2.', config_slot: 'C.1.' },
  isOnline: true,
  presenceSince: before(8_000),
  isSubscribed: true,
  isBusy: false,
};

/** Combinations of everything that decides between transitions; what only makes a router wait is left out. */
function* situations(): Generator<Omit<Facts, 'target'>> {
  for (const kind of rollouts.rolloutKinds)
    for (const schedule of ['immediate', 'bootup'] as const)
      for (const isOnline of YES_NO)
        for (const isBack of YES_NO)
          for (const model of ['HL', 'XX'])
            for (const isBooted of YES_NO)
              for (const idle_status of ['Available', 'ActivationFailed'])
                for (const isAble of YES_NO)
                  for (const [runs, state] of RUNS) {
                    const boot = { boot_heard_at: before(1).toISOString(), booted_at: before(1).toISOString() };
                    const able = { firmware: isAble, bootable: isAble, config: isAble, signature: false };
                    const files = filesOf(runs);
                    const desired = { ...facts.desired, kind, schedule, state, label: kind === 'firmware' ? '2.0' : 'new.cfg' };
                    const reported: Reported = {
                      ...facts.reported,
                      ...files,
                      ...(isBooted ? boot : {}),
                      model,
                      idle_status,
                      ota: able,
                    };
                    yield { ...facts, desired, reported, isOnline, presenceSince: isBack ? before(2) : before(8_000) };
                  }
}

function filesOf(runs: string): Reported {
  if (runs === 'bound') return { firmware: '2.0', config: 'new.cfg', config_version: facts.desired.sha256 };
  if (runs === 'another') return { firmware: '1.0', config: 'new.cfg', config_version: 'cd'.repeat(32) };
  return { firmware: null, config: null, config_version: null };
}

/** The same state with other histories: sent lately or long ago, accepted or not, for the first or the last time. */
function* historiesOf(target: Target): Generator<Target> {
  if (target.phase === 'idle') return yield* [0, 1].map((attempt) => ({ ...target, attempt }));
  for (const sentAt of [before(5), before(3_600)])
    for (const takenAt of [null, sentAt])
      for (const sends of [0, 1, defaultRolloutTimeouts.sends])
        for (const interruptions of [0, defaultRolloutTimeouts.interruptions])
          yield { ...target, begunAt: sentAt, sentAt, takenAt, sends, interruptions };
}

const failure = (message: string, code = 7_022) => ({ type: 'completed', failure: toFailure(code, message) }) as const;
const events: readonly (readonly [cause: string, event: RolloutStepEvent])[] = [
  ['taken', { type: 'taken' }],
  ['busy', { type: 'busy', failure: toFailure(7_005, '') }],
  ['undelivered', { type: 'undelivered' }],
  ['chosen', { type: 'chosen' }],
  ['reverted', { type: 'reverted' }],
  ['rejected', { type: 'not-reverted' }],
  ['completed', { type: 'completed' }],
  ['failed', failure('download-failed')],
  ['failed', failure('did-not-call-home')],
  ['failed', failure('restarted')],
];
const endsOfSettings: readonly RolloutStepEvent[] = [
  { type: 'applied', fault: undefined },
  { type: 'applied', fault: { reason: 'settings-rejected', detail: 'APN' } },
  { type: 'applied', fault: { reason: 'settings-returned', detail: 'APN' } },
];

/** The states after every event and every step in one situation, each with its cause. */
function* successors(
  situation: Omit<Facts, 'target'>,
  target: Target,
): Generator<[cause: string, after: Target, isSent: boolean]> {
  const all: Facts = { ...situation, target };
  if (target.phase !== 'idle') {
    const { kind } = all.desired;
    const context = { kind, staged: isStaged(all), reported: all.reported, now, timeouts: defaultRolloutTimeouts };
    if (kind === 'settings')
      for (const event of endsOfSettings) yield ['applied', { ...target, ...applyRolloutEvent(target, event, context) }, false];
    else for (const [cause, event] of events) yield [cause, { ...target, ...applyRolloutEvent(target, event, context) }, false];
    for (const status of ['Downloading', 'Validating', 'Available'])
      yield ['progress', { ...target, ...progress(target, 'Status', status) }, false];
  }
  const steps = [['', nextRolloutStep(all, now, defaultRolloutTimeouts)] as const];
  const checked = [['checked', checkOutcome(all, now, defaultRolloutTimeouts)] as const];
  for (const [event, step] of target.phase === 'applied' || target.phase === 'staged' ? [...steps, ...checked] : steps) {
    const applied = applyRolloutStep(all as unknown as RolloutWork, target, step, now, defaultRolloutTimeouts);
    yield [event || step.type, applied.target, applied.request !== undefined];
  }
}

/** Settings are not downloaded: a target of theirs is in few of the states. */
const isOfKind = (node: string, { desired }: Omit<Facts, 'target'>) =>
  desired.kind !== 'settings' || node.startsWith('idle_') || node === 'sent_applying';

test('GRP-10 the state diagram of a rollout lists exactly the transitions of the engine', async () => {
  const seen = new SeenTransitions();
  const begin: Target = {
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
    updatedAt: before(9_000),
    dueAt: null,
  };
  const reached = new Map([[nodeOf(begin), begin]]);
  // A map is walked in the order of insertion: states found on the way are visited as well.
  for (const [from, state] of reached)
    for (const target of historiesOf(state))
      for (const situation of situations())
        if (isOfKind(from, situation))
          for (const [cause, after, isSent] of successors(situation, target)) {
            const to = nodeOf(after);
            if (to !== from || isSent) seen.add(from, to, cause);
            if (!reached.has(to)) reached.set(to, after);
          }
  expect(await readDiagram('rollouts.md')).toEqual(seen.lines());
});
