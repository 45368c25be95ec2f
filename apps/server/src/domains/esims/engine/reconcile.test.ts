import { makeEid, makeIccid } from '@highline/usp';
import { describe, expect, it } from 'vitest';
import type { EsimReport, ReportedProfile } from '../../../platform/ports/device-link.ts';
import { defaultEsimTimeouts, noEsimStep, type Row, type EsimWork } from './facts.ts';
import { reconcileEsims, type EsimEvent, type ReconciledEsims } from './reconcile.ts';
import { createEsimExecutor } from './executor.ts';
import { silentLog } from '../../../testing/log.ts';
import { DomainError, type Actor } from '../../../kernel/index.ts';
import { toFailure } from '../../../transport/usp/failures.ts';

const now = new Date('2026-11-20T12:00:00Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1_000);
const SIM = 'Device.TrustedElements.SIM.1.';
const pathOf = (instance: number) => `${SIM}Profile.${instance}.`;
const EID = makeEid(1);

let count = 0;
function row(more: Partial<Row> = {}): Row {
  count += 1;
  return {
    ...noEsimStep,
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
    useWindow: null,
    useAuthor: null,
    ...more,
  };
}
const there = (instance: number, more: Partial<Row> = {}) =>
  row({ status: 'Activated', path: pathOf(instance), iccid: makeIccid(instance), priority: instance, ...more });
const reported = (instance: number, more: Partial<ReportedProfile> = {}): ReportedProfile => ({
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
const report = (...profiles: ReportedProfile[]): EsimReport => ({ path: SIM, eid: EID, count: profiles.length, profiles });
const workOf = (rows: readonly Row[], esim: EsimReport | null = report(), more: Partial<EsimWork> = {}): EsimWork => ({
  routerId: 'router',
  organizationId: 'organization',
  mainAccountId: 'main',
  deviceId: 'device',
  serial: 'SN',
  isOnline: true,
  isHeldElsewhere: false,
  reported: esim,
  supported: true,
  rows,
  ...more,
});
const reconcile = (work: EsimWork, events: Omit<EsimEvent, 'routerId'>[] = [], at = now): ReconciledEsims =>
  reconcileEsims(
    work,
    events.map((each) => ({ ...each, routerId: 'router' })),
    at,
    defaultEsimTimeouts,
  );
/** The same router a moment later, after reconciling. */
const then = (work: EsimWork, { rows, reported: esim }: ReconciledEsims): EsimWork => ({
  ...work,
  rows,
  reported: esim ?? work.reported,
});
const end = (of: Row, message?: string, code = 7022): Omit<EsimEvent, 'routerId'> => ({
  step: {
    key: of.stepKey!,
    event:
      message === undefined ? { type: 'completed', outputs: new Map() } : { type: 'failed', failure: toFailure(code, message) },
  },
});
const stepOf = ({ request }: ReconciledEsims) => (request?.type === 'operate' ? request.step : request?.type);

describe('requests to a router', () => {
  it('NOD-01-partial a step that was not sent is due at once for the process that holds the router, and is the first one there', () => {
    const work = workOf([row({})], report());
    const begun = reconcile(work);
    const [sent] = begun.rows as [Row];
    const undelivered = { step: { key: sent.stepKey!, event: { type: 'undelivered' } } } as const;
    const elsewhere = reconcile({ ...then(work, begun), isHeldElsewhere: true }, [undelivered], later(1));
    expect(elsewhere.rows[0]).toMatchObject({ step: 'download', stepKey: sent.stepKey, dueAt: later(1) });
    const holder = reconcile(then(work, elsewhere), [], later(1));
    expect([stepOf(holder), holder.rows[0]!.stepKey, holder.rows[0]!.sends]).toEqual(['download', sent.stepKey, 1]);
    const nowhere = reconcile(then(work, begun), [undelivered], later(0));
    expect([stepOf(nowhere), nowhere.rows[0]!.dueAt]).toEqual([undefined, sent.dueAt]);
    const back = reconcile(then(work, nowhere), [{ isBack: true }], later(0));
    expect([stepOf(back), back.rows[0]!.stepKey]).toEqual(['download', sent.stepKey]);
    const taken = { ...sent, takenAt: now };
    expect(reconcile(workOf([taken], report()), [undelivered]).rows[0]).toMatchObject({ sentAt: sent.sentAt, sends: 1 });
  });

  it('SIM-10-partial one step at a time: deletions, then downloads by priority, then the switch', () => {
    const work = workOf(
      [there(1, { status: 'In Use' }), there(2, { status: 'Deleting...' }), row({ priority: 4 }), row({ priority: 3 })],
      report(reported(1, { active: true }), reported(2)),
    );
    const deleting = reconcile(work);
    expect(stepOf(deleting)).toBe('delete');
    expect(stepOf(reconcile(then(work, deleting)))).toBeUndefined();
    const over = reconcile(then(work, deleting), [end(deleting.rows.find(({ step }) => step !== null)!)]);
    expect([stepOf(over), over.rows.length, over.reported?.count]).toEqual(['refresh', 3, 1]);
    const downloading = reconcile(then(then(work, deleting), over));
    expect(downloading.request).toMatchObject({ step: 'download', row: { priority: 3 }, simPath: SIM });
  });

  it('SIM-10-partial a profile that a user requested is switched to, and is not retried when it failed', () => {
    const rows = [there(1, { status: 'Assigning...' }), there(2, { status: 'In Use' })];
    const esim = report(reported(1), reported(2, { active: true }));
    const switching = reconcile(workOf(rows, esim));
    expect(switching.request).toMatchObject({ step: 'enable', row: { id: rows[0]!.id } });
    const back = reconcile(then(workOf(rows, esim), switching), [end(switching.rows[0]!, 'activation-failed: no network')]);
    expect(back.rows[0]).toMatchObject({ status: 'Fail to activate', reason: 'activation-failed: no network', step: null });
    expect(back.rows[1]).toMatchObject({ status: 'In Use' });
    expect(stepOf(reconcile(then(then(workOf(rows, esim), switching), back)))).toBeUndefined();
    const again = back.rows.map((each, index) => (index === 0 ? { ...each, status: 'Assigning...' as const } : each));
    expect(stepOf(reconcile(workOf(again, esim)))).toBe('enable');
  });

  it('SIM-10-partial one that is requested again while the router switches away from it is switched back to when that ends', () => {
    const esim = report(reported(1, { active: true }), reported(2));
    const work = workOf([there(1, { status: 'In Use' }), there(2, { status: 'Assigning...' })], esim);
    const switching = reconcile(work);
    const [used, next] = switching.rows as [Row, Row];
    const requested = { ...work, rows: [{ ...used, status: 'Assigning...' as const, dueAt: now }, next] };
    // A report from before the switch does not count as done.
    const waiting = reconcile(requested, [{}]);
    expect([waiting.rows[0]!.status, stepOf(waiting)]).toEqual(['Assigning...', undefined]);
    const over = reconcile(then(requested, waiting), [end(next)]);
    expect(over.rows.map(({ status }) => status)).toEqual(['Assigning...', 'In Use']);
    const back = reconcile(then(then(requested, waiting), over), [{}]);
    expect(back.request).toMatchObject({ step: 'enable', row: { id: used.id } });
    // The router could not switch, and still uses it.
    const failed = reconcile(then(requested, waiting), [end(next, 'activation-failed: no network')]);
    const stays = reconcile(then(then(requested, waiting), failed), [{}]);
    expect(stays.rows.map(({ status }) => status)).toEqual(['In Use', 'Fail to activate']);
    expect(stepOf(stays)).toBeUndefined();
  });

  it.each([
    ['the preloaded one that was not set up', report(reported(1, { preloaded: true, active: true }), reported(2))],
    ['another one below it', report(reported(2), reported(3, { active: true }))],
    ['none', report(reported(1, { preloaded: true }), reported(2))],
  ])('SIM-10-partial the first profile is not switched to by itself while the router uses %s', (_, esim) => {
    const work = workOf([there(2, { priority: 1 }), there(3, { priority: 2 })], esim);
    const first = reconcile(work, [{ isBack: true }]);
    let reconciled = first;
    for (let pass = 0; pass < 5; pass += 1) {
      expect(reconciled.request?.type).not.toBe('operate');
      reconciled = reconcile(then(work, reconciled), [{}], later(pass * 60));
    }
  });

  it('SIM-10-partial a new profile that arrives is activated, and the one in use stays', () => {
    const esim = report(reported(1, { preloaded: true, active: true }));
    const work = workOf([row({ priority: 1 })], esim);
    const begun = reconcile(work);
    const outputs = new Map(Object.entries({ Profile: pathOf(2), ICCID: makeIccid(2), Carrier: 'New' }));
    const over = reconcile(then(work, begun), [
      { step: { key: begun.rows[0]!.stepKey!, event: { type: 'completed', outputs } } },
    ]);
    expect(over.rows[0]).toMatchObject({ status: 'Activated', path: pathOf(2) });
    let reconciled = over;
    for (let pass = 1; pass < 5; pass += 1) {
      reconciled = reconcile(then(then(work, over), reconciled), [{}], later(pass * 60));
      expect(reconciled.request?.type).not.toBe('operate');
    }
  });

  it('waits for an order that is still being saved, then sends it; the same order is not sent twice to a router that does not apply it', () => {
    const rows = [there(1, { status: 'In Use', dueAt: later(3) }), there(2, { apn: 'other' })];
    const esim = report(reported(1, { active: true }), reported(2, { priority: 7 }));
    expect(stepOf(reconcile(workOf(rows, esim)))).toBeUndefined();
    const sent = reconcile(workOf(rows, esim), [], later(4));
    expect(sent.request).toEqual({
      type: 'set',
      id: rows[1]!.id,
      path: pathOf(2),
      values: new Map([
        ['X_HIGHLINE_APN', 'other'],
        ['X_HIGHLINE_Priority', '2'],
      ]),
    });
    const settings = { id: rows[1]!.id, sent: sent.rows[1]!.settingsSent!, type: 'answered' } as const;
    const over = reconcile(then(workOf(rows, esim), sent), [{ settings }], later(5));
    expect(stepOf(over)).toBe('refresh');
    for (const seconds of [6, 60, 600])
      expect(stepOf(reconcile(then(workOf(rows, esim), over), [{ isBack: true }], later(seconds)))).toBeUndefined();
  });

  it('SIM-07-partial settings without an answer are sent again when they are due or the router is back, three times in all; until then nothing says that the router does not use them', () => {
    const work = workOf([there(1, { status: 'In Use', apn: 'new' })], report(reported(1, { active: true, apn: 'old' })));
    let reconciled = reconcile(work);
    const sent = [0];
    for (let second = 1; second < 200; second += 1) {
      reconciled = reconcile(then(work, reconciled), [{ isBack: true }], later(second));
      if (stepOf(reconciled) === 'set') sent.push(second);
      expect(reconciled.rows[0]!.reason).toBe(second <= 60 ? '' : 'apn-returned');
    }
    expect(sent).toEqual([0, 30, 60]);
    const away = reconcile({ ...then(work, reconcile(work)), isOnline: false }, [{}], later(1));
    expect(stepOf(reconcile(then(work, away), [{ isBack: true }], later(2)))).toBe('set');
    // Other settings are sent as often, whatever was sent before.
    const other = reconciled.rows.map((each) => ({ ...each, apn: 'another' }));
    expect(reconcile(workOf(other, work.reported)).rows[0]).toMatchObject({ sends: 1, reason: '' });
  });

  it.each([
    ['of the profile in use', { status: 'In Use' }],
    ['of one that waits for its window', { status: 'Assigning...', useWindow: { zone: 'UTC' } }],
  ] as const)(
    'SIM-07-partial settings %s that found no connection were not sent: the router gets them when it is back, however often that was',
    async (_, own) => {
      const deviceLink = { operate: () => Promise.reject(new DomainError('router.not_connected')) } as never;
      const execute = createEsimExecutor({ codes: {} as never, responseMs: 1, log: silentLog, deviceLink });
      const esim = report(reported(1, { active: own.status === 'In Use', apn: 'old' }));
      const work = workOf([there(1, { ...own, apn: 'new' })], esim, { closed: { waits: 'hours', until: later(7_200) } });
      let back = reconcile(work);
      for (let times = 1; times < 9; times += 1) {
        expect(back.request).toMatchObject({ type: 'set', values: new Map([['X_HIGHLINE_APN', 'new']]) });
        const event = await execute({ routerId: 'router', request: back.request! });
        const unsent = reconcile(then(work, back), [event!], later(times));
        // It still counts as connected.
        expect(unsent).toMatchObject({ request: undefined, rows: [{ settingsSent: null, reason: '' }] });
        const away = reconcile({ ...then(work, unsent), isOnline: false }, [{}], later(times));
        back = reconcile(then(work, away), [{ isBack: true }], later(times));
      }
    },
  );

  it('SIM-10-partial without an answer a step is sent three times with one key; back again, the router gets it at once', () => {
    const work = workOf([row()]);
    let reconciled = reconcile(work);
    const key = reconciled.rows[0]!.stepKey;
    const sent = [0];
    for (let second = 1; reconciled.rows[0]!.step !== null; second += 1) {
      reconciled = reconcile(then(work, reconciled), [], later(second));
      if (stepOf(reconciled) === 'download') sent.push(second);
      if (reconciled.rows[0]!.step !== null) expect(reconciled.rows[0]!.stepKey).toBe(key);
    }
    expect(sent).toEqual([0, 30, 60]);
    expect(reconciled.rows[0]).toMatchObject({ status: 'Fail to download', reason: 'no-answer' });
    const begun = reconcile(work);
    expect(stepOf(reconcile(then(work, begun), [{ isBack: true }], later(10)))).toBe('download');
    const away = reconcile({ ...then(work, begun), isOnline: false }, [], later(99_999));
    expect(away.rows[0]).toMatchObject({ step: 'download', dueAt: null });
  });

  it('a busy router gets the step again later; one without the commands never', () => {
    const work = workOf([row(), there(2, { status: 'Deleting...' })], report(reported(2)), { supported: false });
    expect(reconcile(work).rows).toMatchObject([
      { status: 'Fail to download', reason: 'unsupported' },
      { status: 'Activated', reason: 'unsupported' },
    ]);
    const able = workOf([row()]);
    const begun = reconcile(able);
    const busy = reconcile(then(able, begun), [end(begun.rows[0]!, 'another one is under way', 7005)]);
    expect(busy.rows[0]).toMatchObject({ step: 'download', status: 'Assigning...', sends: 0, dueAt: later(10) });
    expect(stepOf(reconcile(workOf([row()], report(), { supported: undefined })))).toBeUndefined();
  });
});

describe('the result of a step', () => {
  it.each([
    ['out of memory', 'out-of-memory: 4 profiles', 'Out of memory', 'out-of-memory: 4 profiles'],
    ['a code', 'unreachable: no route', 'Fail to download', 'unreachable: no route'],
    ['its own message', 'The \u202efuse\u0000 blew', 'Fail to download', 'download-failed: The fuse blew'],
    ['no message', '', 'Fail to download', 'download-failed: error 7022'],
    ['a very long message', 'x'.repeat(9_000), 'Fail to download', `download-failed: ${'x'.repeat(160)}`],
  ])('SIM-10-partial a download that fails with %s is reported', (_, message, status, reason) => {
    const work = workOf([row()]);
    const begun = reconcile(work);
    const over = reconcile(then(work, begun), [end(begun.rows[0]!, message)]);
    expect(over.rows[0]).toMatchObject({ status, reason, step: null, path: null });
    expect(stepOf(over)).toBe('refresh');
  });

  it('SIM-10-partial accepted, it is downloading; done, it has the reported path, and an invalid path is ignored', () => {
    for (const [Profile, path] of [
      [pathOf(3), pathOf(3)],
      ['Device.Users.User.1.', ''],
    ] as const) {
      const work = workOf([row()]);
      const begun = reconcile(work);
      const key = begun.rows[0]!.stepKey!;
      const taken = reconcile(then(work, begun), [{ step: { key, event: { type: 'taken' } } }]);
      expect(taken.rows[0]!.status).toBe('Downloading...');
      const outputs = new Map(Object.entries({ Profile, ICCID: `${makeIccid(3)}F`, Carrier: 'Lake\u0007Net' }));
      const over = reconcile(then(then(work, begun), taken), [{ step: { key, event: { type: 'completed', outputs } } }]);
      expect(over.rows[0]).toMatchObject({ status: 'Activated', path, iccid: makeIccid(3), carrier: 'Lake Net', step: null });
    }
  });

  it('SIM-08-partial deleted during its download, it is removed when that ends, whether it succeeds or fails', () => {
    const work = workOf([row()]);
    const begun = reconcile(work);
    const requested = { ...then(work, begun), rows: begun.rows.map((each) => ({ ...each, status: 'Deleting...' as const })) };
    expect(reconcile(requested, [end(begun.rows[0]!, 'download-failed: no')]).rows).toEqual([]);
    const outputs = new Map([['Profile', pathOf(2)]]);
    const came = reconcile(requested, [{ step: { key: begun.rows[0]!.stepKey!, event: { type: 'completed', outputs } } }]);
    expect(came.rows[0]).toMatchObject({ status: 'Deleting...', path: pathOf(2) });
    expect(stepOf(reconcile(then(requested, came)))).toBe('delete');
  });
});

describe('WIN-02-partial a switch with a window', () => {
  const useWindow = { zone: 'UTC', uplinks: ['ethernet' as const] };
  const esim = report(reported(1, { active: true }), reported(2));
  const waiting = [there(1, { status: 'In Use' }), there(2, { status: 'Assigning...', useWindow })];

  it('waits, says for what, and is looked at again: at the time that is known, or soon', () => {
    const soon = reconcile(workOf(waiting, esim, { closed: { waits: 'uplink' } }));
    expect(soon.request).toBeUndefined();
    expect(soon.rows[1]).toMatchObject({ status: 'Assigning...', reason: 'window-uplink', dueAt: later(60) });
    const known = reconcile(workOf(waiting, esim, { closed: { waits: 'hours', until: later(7_200) } }));
    expect(known.rows[1]).toMatchObject({ reason: 'window-hours', dueAt: later(7_200) });
    expect(stepOf(reconcile(workOf(soon.rows, esim), [], later(60)))).toBe('enable');
  });

  it('of a rule is withdrawn when its time is over, and is looked at again then', () => {
    const useAuthor = { actor: {} as Actor, call: 'esims.use' as const, until: later(3_600).toISOString() };
    const planned = waiting.map((each) => ({ ...each, useAuthor }));
    const before = reconcile(workOf(planned, esim, { closed: { waits: 'hours', until: later(7_200) } }));
    expect(before.rows[1]).toMatchObject({ reason: 'window-hours', dueAt: later(3_600) });
    const after = reconcile(workOf(before.rows, esim), [], later(3_600));
    expect(after.rows[1]).toMatchObject({ status: 'Activated', reason: 'expired', dueAt: null });
    expect(after.request).toBeUndefined();
  });

  it('holds up nothing else of its router', () => {
    const [first, second] = waiting as [Row, Row];
    const changed = [
      { ...first, apn: 'other' },
      { ...second, dueAt: later(7_200), reason: 'window-hours' },
    ];
    const work = workOf(changed, esim, { closed: { waits: 'hours', until: later(7_200) } });
    expect(reconcile(work).request).toMatchObject({ type: 'set', values: new Map([['X_HIGHLINE_APN', 'other']]) });
  });
});

describe('reports of a router', () => {
  it('SIM-10-partial unknown profiles are added, in the order in which they are used, and no router is switched for that', () => {
    const esim = report(
      reported(1, { preloaded: true }),
      reported(2, { priority: 1, name: 'Old' }),
      reported(3, { active: true, priority: 9 }),
      reported(4),
      reported(5),
    );
    const { rows, request } = reconcile(workOf([], esim, { supported: true }), [{ isBack: true }]);
    expect(rows).toMatchObject([
      { status: 'In Use', priority: 1, path: pathOf(3), sealedCode: null },
      { status: 'Activated', priority: 2, path: pathOf(2), name: 'Old' },
      { status: 'Activated', priority: 3, path: pathOf(4) },
    ]);
    expect(request?.type).not.toBe('operate');
  });

  it('SIM-10-partial the active profile is in use, the one before is not; a lost one is marked, and restored when it returns', () => {
    const rows = [there(1, { status: 'In Use' }), there(2, { status: 'Fail to activate', reason: 'activation-failed: x' })];
    const seen = reconcile(workOf(rows, report(reported(1), reported(2, { active: true }))));
    expect(seen.rows).toMatchObject([{ status: 'Activated' }, { status: 'In Use', reason: '' }]);
    const lost = reconcile(workOf(rows, report(reported(1, { active: true }))));
    expect(lost.rows[1]).toMatchObject({ status: 'Fail to download', reason: 'gone', path: null });
    const back = reconcile(workOf(lost.rows, report(reported(1, { active: true }), reported(2, { path: pathOf(8) }))));
    expect(back.rows[1]).toMatchObject({ status: 'Activated', reason: '', path: pathOf(8) });
    expect(back.rows).toHaveLength(2);
  });

  it.each(['Assigning...', 'Fail to download', 'Out of memory'] as const)(
    'SIM-10-partial one that is on the eUICC from before is not downloaded again, and is listed once: %s',
    (status) => {
      const lists = [row({ iccid: makeIccid(1), status }), row({ iccid: makeIccid(2), status, reason: 'x' })];
      const back = reconcile(workOf(lists, report(reported(1, { active: true }), reported(2))), [{ isBack: true }]);
      expect(back.rows).toMatchObject([
        { id: lists[0]!.id, status: 'In Use', reason: '', path: pathOf(1), sealedCode: '00' },
        { id: lists[1]!.id, status: 'Activated', reason: '', path: pathOf(2) },
      ]);
      expect([back.rows.length, back.request?.type === 'operate']).toEqual([2, false]);
      // A preloaded one is there always: it still has to be set up.
      const preloaded = row({ iccid: makeIccid(1), isPreloaded: true, sealedCode: null });
      const set = reconcile(workOf([preloaded], report(reported(1, { preloaded: true }))), [{ isBack: true }]);
      expect([set.rows[0]!.path, stepOf(set)]).toEqual([null, 'download']);
    },
  );

  it('SIM-07-partial an APN that the router reverted is reported, until the router has it after all', () => {
    const rows = [there(1, { status: 'In Use', apn: 'new', settingsSent: '[["X_HIGHLINE_APN","new"]]' })];
    const back = reconcile(workOf(rows, report(reported(1, { active: true, apn: 'old' }))));
    expect(back.rows[0]).toMatchObject({ status: 'In Use', reason: 'apn-returned' });
    // The same settings are not sent again.
    expect(back.request).toBeUndefined();
    const taken = reconcile(workOf(back.rows, report(reported(1, { active: true, apn: 'new' }))));
    expect(taken.rows[0]).toMatchObject({ status: 'In Use', reason: '' });
  });

  it('SIM-05-partial an EID that differs from the typed one stops the download; without a typed one it is stored', () => {
    const { rows, request } = reconcile(workOf([row({ eid: makeEid(2) })]));
    expect(rows[0]).toMatchObject({ status: 'Fail to download', reason: 'eid-mismatch' });
    expect(request).toBeUndefined();
    expect(reconcile(workOf([there(1, { eid: '' })], report(reported(1, { active: true })))).rows[0]!.eid).toBe(EID);
  });
});
