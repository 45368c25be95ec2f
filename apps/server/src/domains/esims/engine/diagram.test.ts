import { makeEid, makeIccid } from '@highline/usp';
import { expect, test } from 'vitest';
import type { EsimReport, ReportedProfile } from '../../../platform/ports/device-link.ts';
import { readDiagram, SeenTransitions } from '../../../testing/state-diagram.ts';
import { applyEsimStep } from './apply.ts';
import { compare } from './compare.ts';
import { applyEsimEvent, type EsimStepEvent } from './events.ts';
import { defaultEsimTimeouts, noEsimStep, type EsimWork, type Row } from './facts.ts';
import { nextEsimStep, withoutNeverThere } from './plan.ts';
import { toFailure } from '../../../transport/usp/failures.ts';

const now = new Date('2026-11-20T12:00:00Z');
const before = (seconds: number) => new Date(now.getTime() - seconds * 1_000);
const YES_NO = [true, false] as const;
const SIM = 'Device.TrustedElements.SIM.1.';
const PATH = `${SIM}Profile.1.`;
const [EID, ICCID] = [makeEid(1), makeIccid(1)];

/** The state of a profile in the diagram: what users see, the step under way, and whether it is on the eUICC. */
function nodeOf({ status, step, path }: Row): string {
  const name = status.replaceAll('...', '').toLowerCase().replaceAll(' ', '_');
  return `${name}${step === null ? '' : `_${step}_sent`}${path === null ? '' : '_there'}`;
}

const requested: Row = {
  ...noEsimStep,
  id: 'row',
  eid: '',
  isPreloaded: false,
  sealedCode: '00',
  sealedConfirmation: null,
  iccid: ICCID,
  apn: 'fleet',
  apn2: '',
  name: 'Fleet',
  carrier: '',
  status: 'Assigning...',
  reason: '',
  priority: 2,
  path: null,
  settingsSent: null,
  useWindow: null,
  useAuthor: null,
};
const reportOf = (...profiles: ReportedProfile[]): EsimReport => ({ path: SIM, eid: EID, count: profiles.length, profiles });
const profile: ReportedProfile = {
  path: PATH,
  iccid: ICCID,
  active: false,
  preloaded: false,
  name: 'Fleet',
  carrier: 'Carrier',
  apn: 'fleet',
  apn2: '',
  priority: 2,
};
const reports = [
  reportOf(),
  reportOf(profile),
  reportOf({ ...profile, active: true }),
  reportOf({ ...profile, apn: 'other', name: 'Other', priority: 1 }),
];

/** The same state with other histories: of a user or taken over, for this eUICC or another, just sent or for the last time. */
function* historiesOf(row: Row): Generator<Row> {
  for (const sealedCode of ['00', null])
    for (const isPreloaded of YES_NO)
      for (const eid of ['', makeEid(2)])
        for (const settingsSent of [null, '[]'])
          for (const reason of new Set([row.reason, '', 'gone'])) {
            const own = { ...row, sealedCode, isPreloaded, eid, settingsSent, reason };
            if (row.step === null) yield own;
            else
              for (const sends of [1, defaultEsimTimeouts.sends])
                for (const dueAt of [before(1), null]) yield { ...own, sends, dueAt, sentAt: before(60), takenAt: null };
          }
}

const failed = (message: string, code = 7_022) => ({ type: 'failed', failure: toFailure(code, message) }) as const;
const events: readonly (readonly [cause: string, event: EsimStepEvent])[] = [
  ['taken', { type: 'taken' }],
  ['undelivered', { type: 'undelivered' }],
  ['completed', { type: 'completed', outputs: new Map([['Profile', PATH]]) }],
  ['completed', { type: 'completed', outputs: new Map() }],
  ['failed', failed('download-failed')],
  ['failed', failed('out-of-memory')],
  ['busy', failed('', 7_005)],
  ['lacking', failed('', 7_016)],
];

/** The profile after every event, report and step, each with its cause; undefined = it is deleted. */
function* successors(row: Row): Generator<[cause: string, after: Row | undefined, isSent: boolean]> {
  for (const reported of reports) {
    if (row.step !== null)
      for (const [cause, event] of events)
        yield [cause, applyEsimEvent(row, event, reported, now, defaultEsimTimeouts).row, false];
    const compared = compare([row], reported, now);
    yield ['reported', compared.find(({ id }) => id === row.id), false];
    if (withoutNeverThere([row]).length === 0) {
      yield ['never there', undefined, false];
      continue;
    }
    // Another request to switch, which goes first.
    const first: Row = { ...requested, id: 'first', priority: 1, iccid: makeIccid(2), path: `${SIM}Profile.2.` };
    for (const rows of [[row], [first, row]])
      for (const isOnline of YES_NO)
        for (const supported of [true, false, undefined])
          for (const isBack of YES_NO) {
            for (const mayUse of YES_NO) {
              const work: EsimWork = { ...router, isOnline, supported, reported, rows, mayUse };
              const step = nextEsimStep(work, isBack, now, defaultEsimTimeouts);
              const { rows: after, request } = applyEsimStep(work, step, now, defaultEsimTimeouts);
              const isOwn = 'row' in step && step.row.id === row.id && request !== undefined;
              yield [step.type, after.find(({ id }) => id === row.id), isOwn];
            }
          }
  }
}

const router: Omit<EsimWork, 'isOnline' | 'supported' | 'reported' | 'rows'> = {
  routerId: 'router',
  organizationId: 'organization',
  mainAccountId: 'main',
  deviceId: 'device',
  serial: 'SN',
  isHeldElsewhere: false,
};

test('SIM-05-partial the state diagram of an eSIM profile lists exactly the transitions of the engine', async () => {
  const seen = new SeenTransitions();
  const reached = new Map([[nodeOf(requested), requested]]);
  const reach = (from: string, after: Row | undefined, cause: string, isSent: boolean) => {
    const to = after === undefined ? '[*]' : nodeOf(after);
    if (to !== from || isSent) seen.add(from, to, cause);
    if (after !== undefined && !reached.has(to)) reached.set(to, after);
  };
  // Profiles that the router had before anyone added them.
  for (const reported of reports) for (const row of compare([], reported, now)) reach('[*]', row, 'reported', false);
  // A map is walked in the order of insertion: states found on the way are visited as well.
  for (const [from, state] of reached) {
    for (const row of historiesOf(state)) for (const [cause, after, isSent] of successors(row)) reach(from, after, cause, isSent);
    // What a user may request in this state; the diagram names each.
    const requests =
      state.step === null && state.path !== null && state.status !== 'In Use' ? ['Assigning...', 'Deleting...'] : ['Deleting...'];
    for (const status of requests as Row['status'][]) {
      const after = { ...state, status };
      if (!reached.has(nodeOf(after))) reached.set(nodeOf(after), after);
    }
  }
  expect(await readDiagram('esims.md')).toEqual(seen.lines());
});
