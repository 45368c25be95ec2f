import { makeEid, makeIccid } from '@highline/usp';
import { describe, expect, it } from 'vitest';
import type { EsimReport, ToldProfile } from '../../../platform/ports/device-link.ts';
import { defaultEsimPatience, noStep, type Row, type Work } from './facts.ts';
import { settleRouter, type RouterNews, type Settled } from './settle.ts';

const now = new Date('2026-11-20T12:00:00Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
const SIM = 'Device.TrustedElements.SIM.1.';
const pathOf = (instance: number) => `${SIM}Profile.${instance}.`;
const EID = makeEid(1);

let count = 0;
function row(more: Partial<Row> = {}): Row {
  count += 1;
  return {
    ...noStep,
    id: `row-${count}`,
    eid: EID,
    isPreloaded: false,
    sealedCode: '00',
    sealedConfirmation: null,
    iccid: '',
    apn: 'fleet',
    apn2: '',
    name: '',
    carrier: '',
    status: 'Assigning...',
    reason: '',
    priority: count,
    path: null,
    settingsSent: null,
    ...more,
  };
}
const there = (instance: number, more: Partial<Row> = {}) =>
  row({ status: 'Activated', path: pathOf(instance), iccid: makeIccid(instance), priority: instance, ...more });
const told = (instance: number, more: Partial<ToldProfile> = {}): ToldProfile => ({
  path: pathOf(instance),
  iccid: makeIccid(instance),
  active: false,
  preloaded: false,
  name: null,
  carrier: 'Carrier',
  apn: 'fleet',
  apn2: '',
  priority: instance,
  ...more,
});
const report = (...profiles: ToldProfile[]): EsimReport => ({ path: SIM, eid: EID, count: profiles.length, profiles });
const workOf = (rows: readonly Row[], esim: EsimReport | null = report(), more: Partial<Work> = {}): Work => ({
  routerId: 'router',
  organizationId: 'organization',
  mainAccountId: 'main',
  deviceId: 'device',
  serial: 'SN',
  isOnline: true,
  told: esim,
  supported: true,
  rows,
  ...more,
});
const settle = (work: Work, news: Omit<RouterNews, 'routerId'>[] = [], at = now): Settled =>
  settleRouter(
    work,
    news.map((each) => ({ ...each, routerId: 'router' })),
    at,
    defaultEsimPatience,
  );
/** The same router a moment later, after reconciling. */
const then = (work: Work, { rows, told: esim }: Settled): Work => ({ ...work, rows, told: esim ?? work.told });
const end = (of: Row, message?: string, code = 7022): Omit<RouterNews, 'routerId'> => ({
  step: {
    key: of.stepKey!,
    heard: message === undefined ? { type: 'completed', outputs: new Map() } : { type: 'failed', failure: { code, message } },
  },
});
const stepOf = ({ action }: Settled) => (action?.type === 'operate' ? action.step : action?.type);

describe('requests to a router', () => {
  it('SIM-10-partial one step at a time: deletions, then downloads by priority, then the switch', () => {
    const work = workOf(
      [there(1, { status: 'In Use' }), there(2, { status: 'Deleting...' }), row({ priority: 4 }), row({ priority: 3 })],
      report(told(1, { active: true }), told(2)),
    );
    const deleting = settle(work);
    expect(stepOf(deleting)).toBe('delete');
    expect(stepOf(settle(then(work, deleting)))).toBeUndefined();
    const over = settle(then(work, deleting), [end(deleting.rows.find(({ step }) => step !== null)!)]);
    expect([stepOf(over), over.rows.length, over.told?.count]).toEqual(['refresh', 3, 1]);
    const downloading = settle(then(then(work, deleting), over));
    expect(downloading.action).toMatchObject({ step: 'download', row: { priority: 3 }, simPath: SIM });
  });

  it('SIM-10-partial a profile that a user requested is switched to, and is not retried when it failed', () => {
    const rows = [there(1, { status: 'Assigning...' }), there(2, { status: 'In Use' })];
    const esim = report(told(1), told(2, { active: true }));
    const switching = settle(workOf(rows, esim));
    expect(switching.action).toMatchObject({ step: 'enable', row: { id: rows[0]!.id } });
    const back = settle(then(workOf(rows, esim), switching), [end(switching.rows[0]!, 'activation-failed: no network')]);
    expect(back.rows[0]).toMatchObject({ status: 'Fail to activate', reason: 'activation-failed: no network', step: null });
    expect(back.rows[1]).toMatchObject({ status: 'In Use' });
    expect(stepOf(settle(then(then(workOf(rows, esim), switching), back)))).toBeUndefined();
    const again = back.rows.map((each, index) => (index === 0 ? { ...each, status: 'Assigning...' as const } : each));
    expect(stepOf(settle(workOf(again, esim)))).toBe('enable');
  });

  it.each([
    ['the preloaded one that was not set up', report(told(1, { preloaded: true, active: true }), told(2))],
    ['another one below it', report(told(2), told(3, { active: true }))],
    ['none', report(told(1, { preloaded: true }), told(2))],
  ])('SIM-10-partial the first profile is not switched to by itself while the router uses %s', (_, esim) => {
    const work = workOf([there(2, { priority: 1 }), there(3, { priority: 2 })], esim);
    const first = settle(work, [{ isBack: true }]);
    let settled = first;
    for (let pass = 0; pass < 5; pass += 1) {
      expect(settled.action?.type).not.toBe('operate');
      settled = settle(then(work, settled), [{}], later(pass * 60));
    }
  });

  it('SIM-10-partial a new profile that arrives is activated, and the one in use stays', () => {
    const esim = report(told(1, { preloaded: true, active: true }));
    const work = workOf([row({ priority: 1 })], esim);
    const begun = settle(work);
    const outputs = new Map(Object.entries({ Profile: pathOf(2), ICCID: makeIccid(2), Carrier: 'New' }));
    const over = settle(then(work, begun), [{ step: { key: begun.rows[0]!.stepKey!, heard: { type: 'completed', outputs } } }]);
    expect(over.rows[0]).toMatchObject({ status: 'Activated', path: pathOf(2) });
    let settled = over;
    for (let pass = 1; pass < 5; pass += 1) {
      settled = settle(then(then(work, over), settled), [{}], later(pass * 60));
      expect(settled.action?.type).not.toBe('operate');
    }
  });

  it('waits for an order that is still being saved, then sends it; the same order is not sent twice to a router that does not apply it', () => {
    const rows = [there(1, { status: 'In Use', dueAt: later(3) }), there(2, { apn: 'other' })];
    const esim = report(told(1, { active: true }), told(2, { priority: 7 }));
    expect(stepOf(settle(workOf(rows, esim)))).toBeUndefined();
    const sent = settle(workOf(rows, esim), [], later(4));
    expect(sent.action).toEqual({
      type: 'set',
      path: pathOf(2),
      values: new Map([
        ['X_HIGHLINE_APN', 'other'],
        ['X_HIGHLINE_Priority', '2'],
      ]),
    });
    expect(stepOf(settle(then(workOf(rows, esim), sent), [], later(5)))).toBeUndefined();
  });

  it('SIM-10-partial without an answer a step is sent three times with one key; back again, the router gets it at once', () => {
    const work = workOf([row()]);
    let settled = settle(work);
    const key = settled.rows[0]!.stepKey;
    const sent = [0];
    for (let second = 1; settled.rows[0]!.step !== null; second += 1) {
      settled = settle(then(work, settled), [], later(second));
      if (stepOf(settled) === 'download') sent.push(second);
      if (settled.rows[0]!.step !== null) expect(settled.rows[0]!.stepKey).toBe(key);
    }
    expect(sent).toEqual([0, 30, 60]);
    expect(settled.rows[0]).toMatchObject({ status: 'Fail to download', reason: 'no-answer' });
    const begun = settle(work);
    expect(stepOf(settle(then(work, begun), [{ isBack: true }], later(10)))).toBe('download');
    const away = settle({ ...then(work, begun), isOnline: false }, [], later(99_999));
    expect(away.rows[0]).toMatchObject({ step: 'download', dueAt: null });
  });

  it('a busy router gets the step again later; one without the commands never', () => {
    const work = workOf([row(), there(2, { status: 'Deleting...' })], report(told(2)), { supported: false });
    expect(settle(work).rows).toMatchObject([
      { status: 'Fail to download', reason: 'unsupported' },
      { status: 'Activated', reason: 'unsupported' },
    ]);
    const able = workOf([row()]);
    const begun = settle(able);
    const busy = settle(then(able, begun), [end(begun.rows[0]!, 'another one is under way', 7005)]);
    expect(busy.rows[0]).toMatchObject({ step: 'download', status: 'Assigning...', sends: 0, dueAt: later(10) });
    expect(stepOf(settle(workOf([row()], report(), { supported: undefined })))).toBeUndefined();
  });
});

describe('the result of a step', () => {
  it.each([
    ['no room', 'out-of-memory: 4 profiles', 'Out of memory', 'out-of-memory: 4 profiles'],
    ['a code', 'unreachable: no route', 'Fail to download', 'unreachable: no route'],
    ['its own words', 'The \u202efuse\u0000 blew', 'Fail to download', 'download-failed: The fuse blew'],
    ['no words', '', 'Fail to download', 'download-failed: error 7022'],
    ['endless words', 'x'.repeat(9_000), 'Fail to download', `download-failed: ${'x'.repeat(160)}`],
  ])('SIM-10-partial a download that fails with %s is reported', (_, message, status, reason) => {
    const work = workOf([row()]);
    const begun = settle(work);
    const over = settle(then(work, begun), [end(begun.rows[0]!, message)]);
    expect(over.rows[0]).toMatchObject({ status, reason, step: null, path: null });
    expect(stepOf(over)).toBe('refresh');
  });

  it('SIM-10-partial accepted, it is downloading; done, it has the reported path, and an invalid path is ignored', () => {
    for (const [Profile, path] of [
      [pathOf(3), pathOf(3)],
      ['Device.Users.User.1.', ''],
    ] as const) {
      const work = workOf([row()]);
      const begun = settle(work);
      const key = begun.rows[0]!.stepKey!;
      const taken = settle(then(work, begun), [{ step: { key, heard: { type: 'taken' } } }]);
      expect(taken.rows[0]!.status).toBe('Downloading...');
      const outputs = new Map(Object.entries({ Profile, ICCID: `${makeIccid(3)}F`, Carrier: 'Lake\u0007Net' }));
      const over = settle(then(then(work, begun), taken), [{ step: { key, heard: { type: 'completed', outputs } } }]);
      expect(over.rows[0]).toMatchObject({ status: 'Activated', path, iccid: makeIccid(3), carrier: 'Lake Net', step: null });
    }
  });

  it('SIM-08-partial deleted during its download, it is removed when that ends, whether it succeeds or fails', () => {
    const work = workOf([row()]);
    const begun = settle(work);
    const wanted = { ...then(work, begun), rows: begun.rows.map((each) => ({ ...each, status: 'Deleting...' as const })) };
    expect(settle(wanted, [end(begun.rows[0]!, 'download-failed: no')]).rows).toEqual([]);
    const outputs = new Map([['Profile', pathOf(2)]]);
    const came = settle(wanted, [{ step: { key: begun.rows[0]!.stepKey!, heard: { type: 'completed', outputs } } }]);
    expect(came.rows[0]).toMatchObject({ status: 'Deleting...', path: pathOf(2) });
    expect(stepOf(settle(then(wanted, came)))).toBe('delete');
  });
});

describe('reports of a router', () => {
  it('SIM-10-partial unknown profiles are added, in the order in which they are used, and no router is switched for that', () => {
    const esim = report(
      told(1, { preloaded: true }),
      told(2, { priority: 1, name: 'Old' }),
      told(3, { active: true, priority: 9 }),
      told(4),
      told(5),
    );
    const { rows, action } = settle(workOf([], esim, { supported: true }), [{ isBack: true }]);
    expect(rows).toMatchObject([
      { status: 'In Use', priority: 1, path: pathOf(3), sealedCode: null },
      { status: 'Activated', priority: 2, path: pathOf(2), name: 'Old' },
      { status: 'Activated', priority: 3, path: pathOf(4) },
    ]);
    expect(action?.type).not.toBe('operate');
  });

  it('SIM-10-partial the active profile is in use, the one before is not; a lost one is marked, and restored when it returns', () => {
    const rows = [there(1, { status: 'In Use' }), there(2, { status: 'Fail to activate', reason: 'activation-failed: x' })];
    const seen = settle(workOf(rows, report(told(1), told(2, { active: true }))));
    expect(seen.rows).toMatchObject([{ status: 'Activated' }, { status: 'In Use', reason: '' }]);
    const lost = settle(workOf(rows, report(told(1, { active: true }))));
    expect(lost.rows[1]).toMatchObject({ status: 'Fail to download', reason: 'gone', path: null });
    const back = settle(workOf(lost.rows, report(told(1, { active: true }), told(2, { path: pathOf(8) }))));
    expect(back.rows[1]).toMatchObject({ status: 'Activated', reason: '', path: pathOf(8) });
    expect(back.rows).toHaveLength(2);
  });

  it('SIM-07-partial an APN that the router reverted is reported, until the router has it after all', () => {
    const rows = [there(1, { status: 'In Use', apn: 'new', settingsSent: '[["X_HIGHLINE_APN","new"]]' })];
    const back = settle(workOf(rows, report(told(1, { active: true, apn: 'old' }))));
    expect(back.rows[0]).toMatchObject({ status: 'In Use', reason: 'apn-returned' });
    // The same is not sent again.
    expect(back.action).toBeUndefined();
    const taken = settle(workOf(back.rows, report(told(1, { active: true, apn: 'new' }))));
    expect(taken.rows[0]).toMatchObject({ status: 'In Use', reason: '' });
  });

  it('SIM-05-partial an EID that differs from the typed one stops the download; without a typed one it is stored', () => {
    const { rows, action } = settle(workOf([row({ eid: makeEid(2) })]));
    expect(rows[0]).toMatchObject({ status: 'Fail to download', reason: 'eid-mismatch' });
    expect(action).toBeUndefined();
    expect(settle(workOf([there(1, { eid: '' })], report(told(1, { active: true })))).rows[0]!.eid).toBe(EID);
  });
});
