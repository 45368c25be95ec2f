import { groups, rollouts } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { example, startConsole } from '../../../testing/console.tsx';

const states = { ...example(rollouts.listRollouts).result[0]!.states };
for (const state of rollouts.targetStates) states[state] = 0;

/** The page of a group with a rollout of firmware 7.6.0. */
function startRollout() {
  const tools = startConsole();
  const { respond, sendList, push, user } = tools;
  const limits = { failureThreshold: 20, canaries: 0, waves: null, window: null, schedule: 'immediate' as const, postpone: null };
  const rollout: rollouts.Rollout = {
    ...example(rollouts.listRollouts).result[0]!,
    id: 'rollout',
    kind: 'firmware',
    name: '7.6.0',
    version: null,
    by: 'Kim',
    state: 'running',
    pausedReason: null,
    total: 6,
    states: { ...states, waiting: 6 },
    offline: 0,
    outdated: 0,
    ...limits,
  };
  respond(groups.getGroup, { result: { ...example(groups.getGroup).result, group: 'north', groupName: 'North' } });
  respond(rollouts.controlRollout, ({ body }) => ({ result: { ...rollout, id: body.rollout } }));
  sendList(rollouts.listTargets, []);
  const panel = () => within(screen.getByRole('region', { name: 'Rollout of firmware 7.6.0' }));
  return {
    ...tools,
    panel,
    target: (serial: string, state: rollouts.TargetState, more: Partial<rollouts.RolloutTarget> = {}) => ({
      device: serial,
      serial_number: serial,
      state,
      reason: null,
      detail: null,
      checkedBy: null,
      attempt: 1,
      percent: 0,
      ...more,
    }),
    /** The rollout as it is from now on; an open page gets an event. */
    set: (parts: Partial<rollouts.Rollout>) => {
      respond(rollouts.listRollouts, { result: [{ ...rollout, ...parts }] });
      push('rollouts');
    },
    press: async (name: string, confirm = name) => {
      await user.click(panel().getByRole('button', { name }));
      const question = within(await screen.findByRole('alertdialog'));
      const text = screen.getByRole('alertdialog').textContent;
      await user.click(question.getByRole('button', { name: confirm }));
      return text;
    },
  };
}

describe('a rollout on the page of its group', () => {
  test('GRP-10-partial routers are listed by state with reasons, texts of routers as text, and one state alone by its chip', async () => {
    const { open, respond, sendList, set, target, panel, user, requests, address } = startRollout();
    set({ states: { ...states, waiting: 2, failed: 2, 'rolled-back': 1, successful: 1 }, offline: 1 });
    sendList(rollouts.listTargets, [
      target('HL-1', 'failed', { reason: 'download-failed' }),
      target('HL-2', 'failed', { reason: 'flash says <b>no</b>' }),
      target('HL-3', 'rolled-back', { reason: 'did-not-call-home' }),
      target('HL-4', 'waiting', { reason: 'offline' }),
      target('HL-5', 'failed', { reason: 'installation-failed', detail: '<img src=x onerror=alert(1)>' }),
      target('HL-6', 'successful', { checkedBy: 'sha256' }),
    ]);
    await open('/groups/detail?group=north');
    expect(await panel().findByText('1 / 6')).toBeTruthy();
    // 3 of the 4 finished.
    expect(panel().getByText('75% failed, over your 20%')).toBeTruthy();
    const line = (serial: string) => panel().getByRole('row', { name: new RegExp(serial, 'u') }).textContent;
    await panel().findByText('HL-1');
    for (const [serial, text] of [
      ['HL-1', "couldn't download the file"],
      ['HL-2', 'flash says <b>no</b>'],
      ['HL-3', "couldn't reach the cloud"],
      ['HL-4', 'offline, follows when it connects'],
      ['HL-5', "couldn't write the file to flash"],
      ['HL-5', 'Router: <img src=x onerror=alert(1)>'],
      ['HL-6', 'verified by SHA-256 only'],
    ] as const)
      expect(line(serial)).toContain(text);
    expect(panel().getByRole('link', { name: 'HL-1' }).getAttribute('href')).toBe('/devices/setting?device=HL-1');
    await user.click(panel().getByRole('button', { name: '2 Failed' }));
    await expect.poll(() => requests(rollouts.listTargets).at(-1)?.query.state).toBe('failed');
    expect(address()).toBe('/groups/detail?group=north&firmware=failed');
    await user.click(panel().getByRole('button', { name: '2 Failed' }));
    await expect.poll(address).toBe('/groups/detail?group=north');

    // Progress arrives by itself.
    sendList(rollouts.listTargets, [target('HL-1', 'downloading', { percent: 40 })]);
    set({ states: { ...states, downloading: 4, successful: 2 } });
    expect(await panel().findByText('2 / 6')).toBeTruthy();
    expect(await panel().findByText('Downloading 40%')).toBeTruthy();
    respond(rollouts.listRollouts, { result: [] });
  });

  test('GRP-10-partial each action is explained, sent and followed by what is possible then', async () => {
    const { open, set, panel, press, requests } = startRollout();
    set({ states: { ...states, waiting: 3, failed: 2, 'rolled-back': 1 }, offline: 2 });
    await open('/groups/detail?group=north');
    expect(await panel().findByText('Waiting and offline: 2. They will follow when they connect.')).toBeTruthy();
    const actions = () =>
      panel()
        .getAllByRole('button')
        .map(({ textContent }) => textContent)
        .filter((text) => /^(Pause|Resume|Retry|Cancel|Roll out)/u.test(text));
    await expect.poll(actions).toEqual(['Retry 3 failed', 'Pause', 'Cancel rollout']);
    expect(await press('Pause')).toContain('No more routers start until you resume.');
    set({ state: 'paused', pausedReason: 'person' });
    expect(await panel().findByText(/^This rollout is paused\./u)).toBeTruthy();
    expect(await press('Resume')).toContain(
      'The waiting routers continue. Those that wait for a bootup wait for their next one.',
    );
    set({ states: { ...states, waiting: 3, failed: 2, 'rolled-back': 1 } });
    await expect.poll(actions).toEqual(['Retry 3 failed', 'Pause', 'Cancel rollout']);
    expect(await press('Retry 3 failed')).toContain(
      'Retry 3 routers that failed or were rolled back? Each router restarts once it has the firmware, which may be now.',
    );
    expect(await screen.findByText('Retrying failed routers')).toBeTruthy();
    set({ state: 'paused', pausedReason: 'threshold', states: { ...states, waiting: 3, failed: 3 }, offline: 2 });
    expect((await panel().findByRole('alert')).textContent).toContain(
      'This rollout paused itself: more than 20% of the finished routers failed (3 of 3).',
    );
    expect(panel().queryByText(/follow when they connect/u)).toBeNull();
    expect(await press('Retry 3 failed')).toContain('rolled back? This rollout is paused: nothing begins until you resume it.');
    expect(await screen.findByText('Failed routers begin once you resume')).toBeTruthy();
    await press('Cancel rollout', 'Cancel');
    await press('Cancel rollout');
    set({ state: 'cancelled', offline: 2 });
    expect(await panel().findByText(/^This rollout was cancelled\./u)).toBeTruthy();
    expect(actions()).toEqual(['Roll out again']);
    expect(panel().queryByText(/follow when they connect/u)).toBeNull();
    expect(requests(rollouts.controlRollout).map(({ body }) => body)).toEqual(
      ['pause', 'resume', 'retry', 'retry', 'cancel'].map((action) => ({ rollout: 'rollout', action })),
    );
    set({ state: 'running', states: { ...states, successful: 6 } });
    expect(await panel().findByText('6 / 6')).toBeTruthy();
    expect(actions()).toEqual([]);
  });

  test('WIN-01-partial waves say how far they are and what the next one waits for, go on and are cut back', async () => {
    const { open, set, panel, press, requests } = startRollout();
    const wave = (routers: number, successful = 0, failed = 0) => ({ routers, successful, failed });
    const waves = { rule: 'person' as const, hours: null, open: 1, waits: 'person' as const, next: null };
    set({ waves: { ...waves, waves: [wave(1, 1), wave(2, 1), wave(0), wave(3)] } });
    await open('/groups/detail?group=north');
    const current = async () => (await panel().findAllByRole('listitem')).map(({ textContent }) => textContent);
    await expect.poll(current).toEqual(['First wave 1 / 1', 'Wave 2 1 / 2', 'Wave 4 0 / 3']);
    expect(panel().getByText('The next wave begins when you continue.')).toBeTruthy();
    expect(await press('Continue')).toContain('The next wave begins: 3 routers.');
    expect(await press('Cut back')).toContain('The 2 routers of this wave wait again');
    await expect
      .poll(() => requests(rollouts.controlRollout).map(({ body }) => body))
      .toEqual([3, 0].map((wave) => ({ rollout: 'rollout', action: 'wave', wave })));
    const next = Date.parse('2026-11-28T18:00:00Z') / 1_000;
    for (const [part, text] of [
      [{ rule: 'hours', hours: 4, waits: 'hours', next }, /^The next wave begins .* if none fails\.$/u],
      [{ rule: 'hours', hours: 4, waits: 'routers' }, /^The next wave begins 4 hours after a success/u],
      [{ rule: 'success', waits: 'failure' }, /^A router of this wave failed/u],
      [
        { rule: 'success', waits: 'empty', open: 0 },
        /^No router that goes first is left in the group, or none of them supports this update\./u,
      ],
    ] as const) {
      set({ waves: { ...waves, waves: [wave(1, 1), wave(2, 1), wave(3)], ...part } });
      expect(await panel().findByText(text)).toBeTruthy();
    }
  });

  test('TPL-03 TPL-04 settings on their way say which version, why a vehicle has other values, and lead to its settings', async () => {
    const { open, sendList, set, target, user, requests, address } = startRollout();
    set({
      kind: 'settings',
      name: '4',
      version: 4,
      state: 'paused',
      pausedReason: 'threshold',
      states: { ...states, failed: 3 },
      outdated: 2,
    });
    sendList(rollouts.listTargets, [
      target('HL-1', 'rolled-back', { reason: 'settings-returned', detail: 'APN: returned' }),
      target('HL-2', 'failed', { reason: 'settings-differ', detail: 'Time.NTPServer1: not changed; +1' }),
      target('HL-3', 'failed', { reason: 'settings-rejected', detail: '<b>no route</b>' }),
      target('HL-4', 'waiting', { reason: 'settings-changed' }),
    ]);
    await open('/groups/detail?group=north');
    const panel = within(await screen.findByRole('region', { name: 'Rollout of router settings, version 4' }));
    await panel.findByText('HL-1');
    expect(panel.getByRole('alert').textContent).toContain('3 of 3');
    expect(panel.getByText(/^2 routers do not get these settings/u)).toBeTruthy();
    expect(panel.queryByRole('columnheader', { name: 'Version' })).toBeNull();
    for (const [serial, text] of [
      ['HL-1', 'could not connect with these settings, and returned to its former ones · APN: returned'],
      ['HL-2', 'the router reports other values than are set · Time.NTPServer1: not changed; +1'],
      ['HL-3', 'Router: <b>no route</b>'],
      ['HL-4', 'review and send them again'],
    ] as const)
      expect(panel.getByRole('row', { name: new RegExp(serial, 'u') }).textContent).toContain(text);
    expect(panel.getByRole('link', { name: 'HL-1' }).getAttribute('href')).toBe('/devices/setting?device=HL-1&tab=settings');
    await user.click(panel.getByRole('button', { name: '3 Failed' }));
    await expect.poll(() => requests(rollouts.listTargets).at(-1)?.query.state).toBe('failed');
    expect(address()).toBe('/groups/detail?group=north&settings=failed');
    await user.click(panel.getByRole('button', { name: /^Retry/u }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Cancel' }));
    set({ kind: 'settings', name: '4', version: 4, states: { ...states, failed: 3 } });
    await expect.poll(() => panel.queryByRole('alert')).toBeNull();
    await user.click(panel.getByRole('button', { name: /^Retry/u }));
    const question = await screen.findByRole('alertdialog');
    expect(question.textContent).toContain('Each router applies the settings, which may be now, and may lose its connection');
    expect(question.textContent).not.toContain('restart');
    await user.click(within(question).getByRole('button', { name: /^Retry/u }));
    await expect.poll(() => requests(rollouts.controlRollout)[0]?.body).toEqual({ rollout: 'rollout', action: 'retry' });
  });

  test('GRP-10-partial a group without a binding says so, and an answer that fails can be requested again', async () => {
    const { open, fail, respond, user } = startRollout();
    fail(rollouts.listRollouts, 'server.fault');
    await open('/groups/detail?group=north');
    respond(rollouts.listRollouts, { result: [] });
    await user.click(await screen.findByRole('button', { name: /Try again|Retry/u }));
    expect(await screen.findByText(/^No firmware, config file or settings are on their way to this group/u)).toBeTruthy();
  });
});
