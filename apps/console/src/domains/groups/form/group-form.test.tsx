import { accounts, configs, DEFAULT_GROUP_KEY, devices, firmware, groups, rollouts } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { button, example, Failed, rowsOf, startConsole } from '../../../testing/console.tsx';
import { writeStored } from '../../../ui/storage.ts';
import { emptyRollout } from './rollout-draft.ts';

const save = () => screen.getAllByRole('button', { name: 'Save' })[0]!;
/** The environment does not disable the fields of a disabled fieldset by itself. */
const isDisabled = (field: HTMLInputElement) => field.disabled || field.closest('fieldset')?.disabled === true;
const isBlocked = (element: HTMLElement) => element.getAttribute('aria-disabled') === 'true';
const question = () => screen.findByRole('alertdialog');

/** A console with a group that has nothing bound, and files that can be bound. */
function startForm(parts: Partial<ReturnType<typeof example<typeof groups.getGroup>>['result']> = {}) {
  const tools = startConsole();
  const { respond, sendList, user, requests } = tools;
  const bind = { firmware: [], config: [], status: [] };
  const [stored, effect] = [example(groups.getGroup).result, example(rollouts.bindingImpact).result.firmware!];
  const group = { ...stored, group: 'north', groupName: 'North', description: '', tags: [], reportSeconds: null, bind, ...parts };
  const bare = { schedule: 'immediate' as const, postpone: null, deviceCount: 2, models: ['HL-R520'], ...parts };
  respond(groups.getGroup, { result: { ...group, ...bare } });
  respond(rollouts.listRollouts, { result: [] });
  sendList(groups.listControls as never, []);
  sendList(firmware.listFirmware, [
    { pk: 'new', version: '7.1.0', profile: 'HL-R520' },
    { pk: 'other', version: '7.2.0', profile: 'HL-R300' },
  ]);
  sendList(configs.listConfigs, [{ pk: 'yard', name: 'yard.cfg', version: 1 }]);
  const impact = (own: Partial<rollouts.Impact> = {}): rollouts.Impact => ({
    ...effect,
    routers: 3,
    change: 3,
    already: 0,
    offline: 3,
    unsuited: 0,
    otherModels: [],
    ofOtherModel: 0,
    older: 0,
    newer: [],
    unsigned: 0,
    vehicles: [],
    confirmation: 'seen',
    ...own,
  });
  const shows = (own: Partial<rollouts.Impact> = {}) =>
    respond(rollouts.bindingImpact, ({ body }) => ({
      result: {
        firmware: body.firmware ? impact(own) : null,
        config: body.config ? impact(own) : null,
        first: null,
        window: null,
      },
    }));
  shows();
  return {
    ...tools,
    group: { ...group, ...bare },
    impact,
    shows,
    choose: async (select: string, option: string | RegExp) => {
      await user.click(button(new RegExp(`^${select} `, 'u')));
      await user.click(await screen.findByRole('option', { name: option }));
    },
    day: async (text: string) => {
      await user.clear(screen.getByLabelText('Date'));
      await user.paste(text);
      await user.tab();
    },
    sent: () => requests(groups.saveWholeGroup).at(-1)?.body,
  };
}

describe('/groups/add', () => {
  test("GRP-06 GRP-07 a new group binds both files at the next bootup after a half hour of the header's zone, in one call", async () => {
    const { open, user, respond, sendList, requests, choose, day, address } = startForm();
    sendList(groups.listGroups, [{}]);
    await open('/groups/add');
    await expect.poll(() => screen.getByLabelText<HTMLInputElement>('Group number').value).toBe('2');
    const [immediate, bootup] = ['Immediate', 'Up on next bootup'].map((name) => screen.getByLabelText<HTMLInputElement>(name));
    expect([immediate!.checked, isDisabled(bootup!)]).toEqual([true, true]);
    await user.type(screen.getByLabelText('Description'), 'evening buses');
    expect(isBlocked(save())).toBe(true);
    await user.hover(save());
    expect(await screen.findByText('Enter a group name first.')).toBeTruthy();
    await user.type(screen.getByLabelText(/^Group Name/u), 'Bound');
    expect(isBlocked(save())).toBe(false);
    const postpone = () => screen.queryByRole<HTMLInputElement>('checkbox', { name: 'Postpone Until' });
    await choose('Firmware', /^7\.1\.0/u);
    expect(button('Config File Undefined')).toBeTruthy();
    expect(screen.getAllByText('nothing bound')).toHaveLength(1);
    expect(postpone()).toBeNull();
    await user.click(bootup!);
    expect(postpone()?.checked).toBe(false);
    expect(screen.getByLabelText<HTMLInputElement>('Date').disabled).toBe(true);
    // Without a file it is immediate again.
    await choose('Firmware', /^Undefined/u);
    expect([immediate!.checked, isDisabled(bootup!)]).toEqual([true, true]);
    await choose('Firmware', /^7\.1\.0/u);
    await choose('Config File', /^yard/u);
    await user.click(bootup!);
    await user.click(postpone()!);
    await user.hover(save());
    expect((await screen.findAllByText('Please enter the Date')).length).toBeGreaterThan(0);
    await day('02/30/2027');
    await user.hover(save());
    expect(await screen.findAllByText('Invalid Date format')).toHaveLength(2);
    expect(screen.queryByText('Please enter the Date')).toBeNull();
    await user.click(postpone()!);
    expect([screen.getByLabelText<HTMLInputElement>('Date').value, screen.queryByText('Invalid Date format')]).toEqual([
      '',
      null,
    ]);
    await user.click(postpone()!);
    expect(screen.queryByText('Invalid Date format')).toBeNull();
    const slots = () =>
      within(screen.getByLabelText('Time'))
        .getAllByRole('option')
        .map(({ textContent }) => textContent);
    // The time may be chosen first.
    expect(slots()).toHaveLength(48);
    await user.selectOptions(screen.getByLabelText('Time'), '23:00');
    await day('01/02/2026');
    expect(screen.getByLabelText<HTMLSelectElement>('Time').value).toBe('23:00');
    expect(screen.getAllByText('This time has passed. Choose a later one.').length).toBeGreaterThan(0);
    expect(isBlocked(save())).toBe(true);
    await day('03/16/2027');
    expect(slots()).toHaveLength(48);
    // Clocks go forward in Chicago: 02:00 and 02:30 do not exist on that day.
    await day('03/14/2027');
    expect([slots().length, slots()[0], slots().at(-1)]).toEqual([46, '00:00', '23:30']);
    await user.selectOptions(screen.getByLabelText('Time'), '03:30');
    respond(groups.createGroup, example(groups.createGroup));
    await user.click(save());
    expect(await screen.findByText('Group Save Success')).toBeTruthy();
    await expect.poll(address).toMatch(/^\/groups\/list/u);
    expect(requests(groups.createGroup)[0]?.body).toEqual({
      name: 'Bound',
      description: 'evening buses',
      devices: [],
      firmware: 'new',
      config: 'yard',
      configVersion: 1,
      schedule: 'bootup',
      postpone: Date.parse('2027-03-14T08:30:00Z') / 1000,
    });
  });
});

describe('/groups/detail', () => {
  test('GRP-02-partial without a group it leads to the list, and one that is gone says so', async () => {
    const { open, visit, fail, address } = startConsole();
    await open('/groups/detail');
    expect(address()).toBe('/groups/list');
    fail(groups.getGroup, 'group.not_found');
    await visit('/groups/detail?group=gone');
    expect(await screen.findByText('This group no longer exists.')).toBeTruthy();
  });

  test('GRP-08 each save sends the changed fields alone; an emptied file is sent empty, for all, and a schedule with both files', async () => {
    const entry = { ...rowsOf(groups.listGroups, [{}])[0]!.bind.firmware[0]!, otaSchedule: 'immediate' as const, postpone: null };
    const bind = {
      firmware: [{ ...entry, profile: 'old', name: '7.0.0', version: null }],
      config: [{ ...entry, profile: 'yard', name: 'yard.cfg', version: 1 }],
      status: [],
    };
    const { open, user, respond, group, choose, sent } = startForm({ bind, models: [] });
    let stored = group;
    respond(groups.getGroup, () => ({ result: stored }));
    respond(groups.saveWholeGroup, example(groups.saveWholeGroup));
    await open('/groups/detail?group=north');
    const saved = async (change: () => Promise<unknown>, parts: Partial<typeof group>) => {
      expect(isBlocked(save())).toBe(true);
      await change();
      stored = { ...stored, ...parts };
      expect(isBlocked(save())).toBe(false);
      await user.click(save());
      await expect.poll(() => isBlocked(save())).toBe(true);
      return sent();
    };
    const description = screen.getByLabelText('Description');
    expect(await saved(() => user.type(description, 'yard B'), { description: 'yard B' })).toEqual({
      group: 'north',
      is_postpone: false,
      description: 'yard B',
    });
    const files = { firmware: 'old', config: 'yard', configVersion: 1 };
    const bootup = () => user.click(screen.getByLabelText('Up on next bootup'));
    expect(await saved(bootup, { schedule: 'bootup' })).toEqual({
      group: 'north',
      is_postpone: false,
      schedule: 'bootup',
      postpone: '',
      ...files,
    });
    expect(await saved(() => choose('Firmware', /^Undefined/u), { bind: { ...bind, firmware: [] } })).toEqual({
      group: 'north',
      is_postpone: false,
      firmware: '',
      mode: 'all',
    });
  });

  test('GRP-07-partial a stored postponement is shown in its zone, and is sent empty once it is switched off', async () => {
    const postpone = Date.parse('2027-03-14T08:30:00Z') / 1000;
    const entry = { ...rowsOf(groups.listGroups, [{}])[0]!.bind.config[0]!, profile: 'yard', name: 'yard.cfg', version: 1 };
    const bind = { firmware: [], config: [entry], status: [] };
    const { open, user, respond, sent } = startForm({ bind, schedule: 'bootup', postpone });
    respond(groups.saveWholeGroup, example(groups.saveWholeGroup));
    await open('/groups/detail?group=north');
    const [date, time] = ['Date', 'Time'].map((name) => screen.getByLabelText<HTMLInputElement>(name));
    expect([date!.value, time!.value]).toEqual(['03/14/2027', '03:30']);
    await user.click(screen.getByRole('checkbox', { name: 'Postpone Until' }));
    expect([date!.value, date!.disabled]).toEqual(['', true]);
    await user.click(save());
    await expect.poll(sent).toEqual({
      group: 'north',
      is_postpone: false,
      config: 'yard',
      configVersion: 1,
      schedule: 'bootup',
      postpone: '',
    });
  });

  test('GRP-07-partial a stored postponement that has passed goes with another file; why a time is rejected stands at the date', async () => {
    const postpone = Date.parse('2026-03-14T08:30:00Z') / 1000;
    const entry = { ...rowsOf(groups.listGroups, [{}])[0]!.bind.config[0]!, profile: 'old', name: 'old.cfg', version: 1 };
    const bind = { firmware: [], config: [entry], status: [] };
    const { open, user, fail, choose, sent } = startForm({ bind, schedule: 'bootup', postpone });
    fail(groups.saveWholeGroup, 'binding.schedule');
    await open('/groups/detail?group=north');
    await choose('Config File', /^yard/u);
    await user.click(save());
    await expect.poll(sent).toMatchObject({ config: 'yard', schedule: 'bootup', postpone });
    await expect.poll(() => screen.getByLabelText('Date').getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByText(/a time in the future/u)).toBeTruthy();
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  test("GRP-08-partial another admin's save is shown, the input stays, and the next save overwrites it on purpose", async () => {
    const { open, user, fail, respond, group, requests, sent } = startForm();
    await open('/groups/detail?group=north');
    await user.type(screen.getByLabelText('Description'), 'mine');
    fail(groups.saveWholeGroup, 'conflict.stale');
    respond(groups.getGroup, { result: { ...group, groupName: 'Theirs' } });
    await user.click(save());
    expect((await question()).textContent).toContain('Someone else changed this group. It now has: name "Theirs"');
    await user.click(button('OK'));
    expect(screen.getByLabelText<HTMLTextAreaElement>('Description').value).toBe('mine');
    respond(groups.saveWholeGroup, example(groups.saveWholeGroup));
    await user.click(save());
    expect(await screen.findByText('Edit success')).toBeTruthy();
    const [first, second] = requests(groups.saveWholeGroup);
    expect(first?.ifMatch).toBeTruthy();
    expect(second?.ifMatch).not.toBe(first?.ifMatch);
    expect(sent()).toMatchObject({ group: 'north', description: 'mine' });
  });

  test('WIN-01-partial WIN-02-partial a restored draft has its waves and window, and leaves what another user saved since', async () => {
    const { open, user, respond, group, push, sent } = startForm();
    const rollout = { ...emptyRollout, rule: 'person', shares: 'half', window: { ...emptyRollout.window, isLimited: true } };
    const draft = { firmware: { pk: 'new', name: '7.1.0', version: null }, failureThreshold: 5, canaries: 2, rollout };
    writeStored(`highline.draft.${example(accounts.introspect).result.id}.group-north`, draft, sessionStorage);
    respond(groups.saveWholeGroup, example(groups.saveWholeGroup));
    await open('/groups/detail?group=north');
    respond(groups.getGroup, { result: { ...group, description: 'theirs' } });
    push('groups');
    const description = () => screen.getByLabelText<HTMLTextAreaElement>('Description').value;
    await expect.poll(description).toBe('theirs');
    await user.click(button('Restore'));
    expect(description()).toBe('theirs');
    await user.click(save());
    await expect.poll(sent).toMatchObject({
      firmware: 'new',
      failureThreshold: 5,
      canaries: 2,
      waves: { rule: 'person', shares: [50] },
      window: { hours: [{ days: [0, 1, 2, 3, 4, 5, 6], from: '02:00', until: '04:00' }], local: true },
    });
    expect(sent()).not.toHaveProperty('description');
  });

  test('NOD-05-partial RPT-03-partial report interval and tags are checked, sent, and emptied', async () => {
    const { open, user, respond, group, sent } = startForm();
    respond(groups.saveWholeGroup, example(groups.saveWholeGroup));
    await open('/groups/detail?group=north');
    const field = screen.getByLabelText<HTMLInputElement>('Report interval (seconds)');
    await user.type(field, '5');
    expect(screen.getAllByText(/enter 10 to 86,400 seconds/u)).not.toHaveLength(0);
    expect(isBlocked(save())).toBe(true);
    await user.type(field, '00');
    const tags = screen.getByRole<HTMLInputElement>('combobox', { name: 'Tags' });
    await user.type(tags, 'west{Enter}BD,');
    expect(screen.getAllByText(/^(west|BD)$/u)).toHaveLength(2);
    expect(tags.maxLength).toBe(32);
    respond(groups.getGroup, { result: { ...group, reportSeconds: 500, tags: ['west', 'BD'] } });
    await user.click(save());
    await expect.poll(sent).toMatchObject({ reportSeconds: 500, tags: ['west', 'BD'] });
    await expect.poll(() => isBlocked(save())).toBe(true);
    await user.clear(field);
    await user.click(save());
    await expect.poll(sent).toEqual({ group: 'north', is_postpone: false, reportSeconds: null });
  });

  test('GRP-08-partial firmware for another model is marked, and cannot be saved', async () => {
    const { open, user, shows, choose } = startForm();
    shows({ routers: 2, change: 0, otherModels: ['HL-R520'], ofOtherModel: 2 });
    await open('/groups/detail?group=north');
    await user.click(button(/^Firmware /u));
    expect((await screen.findByRole('option', { name: /^7\.2\.0/u })).textContent).toContain('other model');
    expect(screen.getByRole('option', { name: /^7\.1\.0/u }).textContent).not.toContain('other model');
    await user.click(screen.getByRole('option', { name: /^7\.2\.0/u }));
    expect((await screen.findByRole('alert')).textContent).toContain(
      'This firmware is for HL-R300, but 2 of 2 routers are HL-R520',
    );
    expect(isBlocked(save())).toBe(true);
    shows({ routers: 2, change: 2, offline: 1 });
    await choose('Firmware', /^7\.1\.0/u);
    expect(await screen.findByText(/1 will update, 1 more when they connect/u)).toBeTruthy();
    expect(isBlocked(save())).toBe(false);
  });

  test('GRP-08-partial GRP-10-partial vehicles that restart at once are named before the save, again when they changed, and nothing is sent before', async () => {
    const { open, user, shows, impact, choose, respond, requests } = startForm();
    const two = { change: 3, offline: 1, vehicles: ['Bus 1', 'Bus 2'] };
    shows(two);
    respond(groups.saveWholeGroup, ({ body }) =>
      body.confirmed?.firmware === 'later'
        ? example(groups.saveWholeGroup)
        : new Failed('impact.changed', {
            field: 'firmware',
            detail: impact({ ...two, change: 4, offline: 2, confirmation: 'later' }),
          }),
    );
    await open('/groups/detail?group=north');
    await choose('Firmware', /^7\.1\.0/u);
    expect(await screen.findByText(/2 will update, 1 more when they connect/u)).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Pause when failures exceed').placeholder).toBe('default: 20');
    await user.click(save());
    const text = (await question()).textContent;
    for (const part of ['2 vehicles restart now', 'Bus 1', 'Bus 2', 'rolls back by itself', '1 offline router follows when it'])
      expect(text).toContain(part);
    await user.click(within(await question()).getByRole('button', { name: 'Cancel' }));
    expect(requests(groups.saveWholeGroup)).toEqual([]);
    await user.click(save());
    await user.click(within(await question()).getByRole('button', { name: 'Save' }));
    await screen.findByText(/2 offline routers follow when they connect/u);
    await user.click(within(await question()).getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Edit success')).toBeTruthy();
    expect(requests(groups.saveWholeGroup).map(({ body }) => body.confirmed)).toEqual([
      { firmware: 'seen' },
      { firmware: 'later' },
    ]);
  });

  test('GRP-10-partial nothing is saved while it is unknown which vehicles would restart, and the question follows', async () => {
    const { open, user, shows, choose, respond, fail, requests } = startForm();
    shows({ change: 2, offline: 0, vehicles: ['Bus 1', 'Bus 2'] });
    respond(groups.saveWholeGroup, example(groups.saveWholeGroup));
    await open('/groups/detail?group=north');
    await choose('Firmware', /^7\.1\.0/u);
    expect(await screen.findByText(/2 will update/u)).toBeTruthy();
    fail(rollouts.bindingImpact, 'server.fault');
    await user.click(save());
    await user.click(within(await question()).getByRole('button', { name: 'OK' }));
    expect(requests(groups.saveWholeGroup)).toEqual([]);
    shows({ change: 2, offline: 0, vehicles: ['Bus 1', 'Bus 2'] });
    await user.click(save());
    expect((await question()).textContent).toContain('2 vehicles restart now');
  });
});

describe('what goes first', () => {
  const first = { routers: 1, offline: 0, vehicles: ['Bus 7'], waves: [1, 1] };
  const startFirst = () => {
    const tools = startForm();
    tools.respond(rollouts.bindingImpact, ({ body }) => ({
      result: { firmware: tools.impact({ change: 3, offline: 1 }), config: null, first: body.first ? first : null, window: null },
    }));
    tools.respond(groups.saveWholeGroup, example(groups.saveWholeGroup));
    return tools;
  };

  test('WIN-01-partial chosen vehicles, what follows and when stand next to their effect, and are sent with the file', async () => {
    const { open, user, choose, sendList, sent, requests } = startFirst();
    sendList(groups.listMembers, [
      { device: 'seven', serial_number: 'HL-7', vehicle_number: 'Bus 7', movable: true },
      { device: 'eight', serial_number: 'HL-8', vehicle_number: '', movable: true },
    ]);
    await open('/groups/detail?group=north');
    expect(screen.queryByLabelText('First these')).toBeNull();
    await choose('Firmware', /^7\.1\.0/u);
    const plan = within(screen.getByRole('region', { name: 'Rollout' }));
    await user.selectOptions(plan.getByLabelText('First these'), 'Vehicles you choose');
    await user.hover(save());
    expect((await screen.findAllByText('Choose the vehicles that go first.')).length).toBeGreaterThan(0);
    await user.click(plan.getByRole('button', { name: /Vehicles that go first$/u }));
    await user.click(await screen.findByRole('option', { name: /^Bus 7/u }));
    await user.selectOptions(plan.getByLabelText('Then go on'), 'after some hours without a failure');
    await user.clear(plan.getByLabelText('Hours without a failure'));
    await user.hover(save());
    expect((await screen.findAllByText('Enter 1 to 720 hours.')).length).toBeGreaterThan(0);
    await user.type(plan.getByLabelText('Hours without a failure'), '6');
    await user.selectOptions(plan.getByLabelText('The others'), 'half, then the rest');
    expect(await plan.findByText('First: Bus 7')).toBeTruthy();
    expect(plan.getAllByText('After 6 hours without a failure: 1 router')).toHaveLength(2);
    const options = { first: { devices: ['seven'] }, waves: { rule: 'hours', hours: 6, shares: [50] } };
    expect(requests(rollouts.bindingImpact).at(-1)?.body).toMatchObject(options);
    await user.click(save());
    const text = (await question()).textContent;
    for (const part of ['1 vehicle restarts now', 'Bus 7', 'The others follow after 6 hours without a failure.'])
      expect(text).toContain(part);
    await user.click(within(await question()).getByRole('button', { name: 'Save' }));
    await expect.poll(sent).toMatchObject({ firmware: 'new', schedule: 'immediate', ...options });
    expect(sent()).not.toHaveProperty('canaries');
  });

  test('WIN-01-partial those with a tag go first, or wait for a person; waves without anything that goes first are explained', async () => {
    const { open, user, choose, respond, sent } = startFirst();
    respond(devices.listTags, { result: [{ tag: 'spare', devices: 2 }] });
    await open('/groups/detail?group=north');
    await choose('Firmware', /^7\.1\.0/u);
    await user.selectOptions(screen.getByLabelText('Then go on'), 'when I continue it');
    await user.type(screen.getByLabelText('Canary: update first'), '0');
    await user.hover(save());
    expect((await screen.findAllByText('Choose what goes first, or several waves.')).length).toBeGreaterThan(0);
    await user.selectOptions(screen.getByLabelText('First these'), 'Vehicles with a tag');
    await user.selectOptions(screen.getByLabelText('Tag'), 'spare');
    await user.click(save());
    expect((await question()).textContent).toContain('The others follow when you continue the rollout.');
    await user.click(within(await question()).getByRole('button', { name: 'Save' }));
    await expect.poll(sent).toMatchObject({ first: { tag: 'spare' }, waves: { rule: 'person' } });
  });

  test('WIN-02-partial a window is chosen with its hours and conditions, its effect is said, and what is incomplete is named', async () => {
    const { open, user, choose, respond, sent, impact } = startFirst();
    respond(rollouts.bindingImpact, ({ body }) => ({
      result: {
        firmware: impact({ change: 3, offline: 3 }),
        config: null,
        first: null,
        window: body.window
          ? {
              opens: Date.parse('2026-11-28T08:00:00Z') / 1_000,
              noIgnition: 0,
              noPosition: 0,
              noVoltage: 2,
              noSignal: 0,
              noUplink: 1,
            }
          : null,
      },
    }));
    await open('/groups/detail?group=north');
    await choose('Firmware', /^7\.1\.0/u);
    await user.selectOptions(screen.getByLabelText('When'), 'only while …');
    const check = (name: string) => screen.getByRole('checkbox', { name });
    await user.click(check('Certain hours'));
    await user.hover(save());
    expect((await screen.findAllByText('Choose when routers may update.')).length).toBeGreaterThan(0);
    await user.type(screen.getByLabelText('Voltage at least (V)'), '900');
    expect(screen.getAllByText('Voltage at least (V): enter 1 to 100.').length).toBeGreaterThan(0);
    await user.clear(screen.getByLabelText('Voltage at least (V)'));
    await user.type(screen.getByLabelText('Voltage at least (V)'), '12.2');
    await user.click(check('Certain hours'));
    for (const day of ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']) await user.click(check(day));
    await user.type(screen.getByLabelText('Standing still for (minutes)'), '15');
    // No one time is right for vehicles in several zones.
    expect(await screen.findByText('Each vehicle begins within the hours of its own local time.')).toBeTruthy();
    expect(screen.queryByText(/^The hours begin /u)).toBeNull();
    await user.click(check('Local time of each vehicle'));
    expect(await screen.findByText(/^The hours begin /u)).toBeTruthy();
    await user.click(check('Local time of each vehicle'));
    expect(screen.getByText('2 routers report no voltage, so they would wait.')).toBeTruthy();
    expect(screen.getByText('1 router does not report its uplinks, so it would wait.')).toBeTruthy();
    await user.type(screen.getByLabelText('Ignition off for (minutes)'), '10');
    await user.click(save());
    await expect.poll(sent).toMatchObject({
      window: {
        zone: expect.any(String),
        hours: [{ days: [0], from: '02:00', until: '04:00' }],
        local: true,
        minVoltage: 12.2,
        stillMinutes: 15,
        ignitionOffMinutes: 10,
      },
    });
  });

  test('WIN-01-partial WIN-02-partial another schedule keeps the waves and the window of the rollout, unless they are chosen', async () => {
    const entry = { ...rowsOf(groups.listGroups, [{}])[0]!.bind.firmware[0]!, profile: 'old', name: '7.0.0', version: null };
    const bind = { firmware: [entry], config: [], status: [] };
    const tools = startForm({ bind, schedule: 'bootup' });
    const { open, user, respond, choose, sent, impact, requests, group } = tools;
    const window = { zone: 'UTC', hours: [{ days: [6], from: '02:00', until: '04:00' }], local: true };
    const waves = { ...example(rollouts.listRollouts).result[0]!.waves!, rule: 'hours' as const, hours: 6, open: 0, waits: null };
    const rollout = { ...example(rollouts.listRollouts).result[0]!, kind: 'firmware' as const, name: '7.0.0', version: null };
    respond(rollouts.listRollouts, { result: [{ ...rollout, waves, window }] });
    tools.sendList(rollouts.listTargets, []);
    const opens = { opens: null, noIgnition: 0, noPosition: 0, noVoltage: 0, noSignal: 0, noUplink: 0 };
    const isKept = (body: object) => !('waves' in body || 'canaries' in body || 'window' in body);
    respond(rollouts.bindingImpact, ({ body }) => ({
      result: {
        firmware: impact({ change: 3, offline: 1 }),
        config: null,
        first: isKept(body) ? first : null,
        window: isKept(body) ? opens : null,
      },
    }));
    respond(groups.saveWholeGroup, example(groups.saveWholeGroup));
    await open('/groups/detail?group=north');
    respond(groups.getGroup, { result: { ...group, schedule: 'immediate' } });
    await user.click(screen.getByLabelText('Immediate'));
    const plan = within(screen.getByRole('region', { name: 'Rollout' }));
    const chosen = (label: string) => plan.getByLabelText<HTMLSelectElement>(label).selectedOptions[0]?.textContent;
    await expect.poll(() => chosen('First these')).toBe('as in the present rollout');
    expect(chosen('When')).toBe('as in the present rollout');
    expect(plan.queryByLabelText('Then go on')).toBeNull();
    expect(await plan.findByText('First: Bus 7')).toBeTruthy();
    expect(plan.getAllByText('After 6 hours without a failure: 1 router')).toHaveLength(2);
    expect(plan.getByText('Each vehicle begins within the hours of its own local time.')).toBeTruthy();
    await user.click(save());
    const text = (await question()).textContent;
    for (const part of ['1 vehicle restarts now', 'The others follow after 6 hours without a failure.', 'window'])
      expect(text).toContain(part);
    await user.click(within(await question()).getByRole('button', { name: 'Save' }));
    const body = { group: 'north', is_postpone: false, firmware: 'old', schedule: 'immediate', postpone: '' };
    await expect.poll(sent).toEqual({ ...body, confirmed: { firmware: 'seen' } });

    // Chosen, they are sent; another file has none.
    await user.click(screen.getByLabelText('Up on next bootup'));
    await expect.poll(() => chosen('When')).toBe('as in the present rollout');
    await user.selectOptions(plan.getByLabelText('First these'), 'A number of routers');
    await user.type(plan.getByLabelText('Canary: update first'), '2');
    await user.selectOptions(plan.getByLabelText('When'), 'at any time');
    const last = () => requests(rollouts.bindingImpact).at(-1)?.body;
    await expect.poll(last).toMatchObject({ firmware: 'old', canaries: 2, waves: null, window: null });
    await user.selectOptions(plan.getByLabelText('First these'), 'as in the present rollout');
    await expect.poll(last).toEqual({ group: 'north', firmware: 'old', window: null });
    await user.selectOptions(plan.getByLabelText('When'), 'as in the present rollout');
    // Also where the save begins that of another file: this one would have neither waves nor window.
    await choose('Config File', /^yard/u);
    await expect.poll(() => chosen('First these')).toBe('A number of routers');
    expect(chosen('When')).toBe('at any time');
    await expect
      .poll(last)
      .toEqual({ group: 'north', firmware: 'old', config: 'yard', configVersion: 1, waves: null, window: null });
    await choose('Config File', /^Undefined/u);
    await choose('Firmware', /^7\.1\.0/u);
    expect(chosen('First these')).toBe('A number of routers');
    expect(chosen('When')).toBe('at any time');
    await expect.poll(last).toEqual({ group: 'north', firmware: 'new' });
  });

  test('GRP-10-partial a cancelled rollout is begun again as it was, in the form, once its effect is confirmed', async () => {
    const entry = { ...rowsOf(groups.listGroups, [{}])[0]!.bind.firmware[0]!, profile: 'old', name: '7.0.0', version: null };
    const { open, user, respond, sendList, sent, shows } = startForm({ bind: { firmware: [entry], config: [], status: [] } });
    const rollout = { ...example(rollouts.listRollouts).result[0]!, kind: 'firmware' as const, name: '7.0.0', version: null };
    respond(rollouts.listRollouts, { result: [{ ...rollout, state: 'cancelled', waves: null, window: null }] });
    sendList(rollouts.listTargets, []);
    shows({ change: 2, offline: 0, vehicles: ['Bus 1', 'Bus 2'] });
    respond(groups.saveWholeGroup, example(groups.saveWholeGroup));
    await open('/groups/detail?group=north');
    expect(isBlocked(save())).toBe(true);
    await user.click(await screen.findByRole('button', { name: 'Roll out again' }));
    expect(await screen.findByText(/2 will update/u)).toBeTruthy();
    await user.click(save());
    expect((await question()).textContent).toContain('2 vehicles restart now');
    await user.click(within(await question()).getByRole('button', { name: 'Save' }));
    const body = { group: 'north', is_postpone: false, firmware: 'old', schedule: 'immediate', postpone: '' };
    await expect.poll(sent).toEqual({ ...body, confirmed: { firmware: 'seen' } });
    await expect.poll(() => isBlocked(save())).toBe(true);
  });

  test('WIN-04-partial versions that routers would go back from are named before the save', async () => {
    const { open, user, choose, shows } = startForm();
    shows({ change: 3, offline: 0, older: 2, newer: ['7.3.1', '7.3.0'], vehicles: ['Bus 1', 'Bus 2', 'Bus 3'] });
    await open('/groups/detail?group=north');
    await choose('Firmware', /^7\.1\.0/u);
    expect(await screen.findByText('2 of them run a newer version now (7.3.1, 7.3.0) and go back to 7.1.0.')).toBeTruthy();
    await user.click(save());
    expect((await question()).textContent).toContain('2 vehicles run a newer version now: 7.3.1, 7.3.0.');
  });
});

describe('devices of a group', () => {
  const members = ['A', 'B', ...Array.from({ length: 10 }, (_, index) => `C${index}`)].map((serial) => ({
    device: serial,
    serial_number: `HL-${serial}`,
    vehicle_number: '',
    movable: true,
  }));
  const inGroup = [{ device: 'mine', serial_number: 'HL-MINE', vehicle_number: '', movable: true }];
  const ended = { device: 'ended', serial_number: 'HL-ENDED', vehicle_number: '', movable: false };
  const startMoves = (own = inGroup) => {
    const tools = startForm({ deviceCount: own.length });
    const lists: Record<string, readonly object[]> = { north: own, [DEFAULT_GROUP_KEY]: [...members, ended] };
    tools.respond(groups.listMembers, ({ params, query }) => {
      const rows = rowsOf(groups.listMembers, (lists[params.group] ?? []) as never);
      const { offset = 0, limit = rows.length, search = '' } = query;
      const found = rows.filter(({ serial_number: serial }) => serial.includes(search));
      return { ...example(groups.listMembers), result: found.slice(offset, offset + limit), total: found.length };
    });
    tools.respond(rollouts.moveImpact, { result: { firmware: null, config: null, confirmation: 'none' } });
    const side = (name: string) => within(screen.getByRole('group', { name }));
    const line = (name: string, serial: string) => side(name).findByRole('row', { name: new RegExp(serial, 'u') });
    return {
      ...tools,
      pool: () => side('Default group'),
      mine: () => side('In this group'),
      check: async (name: string, serial: string) => tools.user.click(within(await line(name, serial)).getByRole('checkbox')),
      line,
      edit: async () => {
        await tools.user.click(button('Devices Edit'));
        await tools.loaded();
      },
      press: (name: string) =>
        tools.user.click(within(screen.getByRole('dialog', { name: /^Devices of/u })).getByRole('button', { name })),
    };
  };

  test('GRP-09 they are chosen across pages and searches, moved, moved back and undone, and nothing is sent before the save', async () => {
    const { open, user, respond, sendList, requests, pool, mine, check, line, edit, press, sent } = startMoves();
    await open('/groups/detail?group=north');
    await edit();
    expect(isBlocked(pool().getByRole('searchbox'))).toBe(false);
    expect(isBlocked(button('Move into group'))).toBe(true);
    (await line('Default group', 'HL-A')).focus();
    await user.keyboard(' {ArrowDown} ');
    await user.click(pool().getByRole('button', { name: 'Next page' }));
    await check('Default group', 'HL-C9');
    expect(pool().getByText('3 selected')).toBeTruthy();
    const unsubscribed = await line('Default group', 'HL-ENDED');
    expect(unsubscribed.textContent).toContain('Not Subscribed');
    await user.click(within(unsubscribed).getByRole('checkbox'));
    expect(pool().getByText('3 selected')).toBeTruthy();
    // All that match, on every page, except those that cannot move.
    await user.click(pool().getByRole('button', { name: 'Select all 13' }));
    expect(await pool().findByText('12 selected')).toBeTruthy();
    await user.click(pool().getByRole('button', { name: 'Clear selection' }));
    await check('Default group', 'HL-C9');
    await user.type(pool().getByRole('searchbox'), 'HL-A');
    await check('Default group', 'HL-A');
    await press('Move into group');
    expect(await mine().findByText('1–3 of 3')).toBeTruthy();
    await user.click(pool().getByRole('button', { name: 'Undo the move of HL-A' }));
    expect(await mine().findByText('1–2 of 2')).toBeTruthy();
    await check('In this group', 'HL-MINE');
    await press('Move to default');
    expect(requests(groups.saveWholeGroup)).toEqual([]);
    await press('Save');
    expect(await screen.findByText('+1 / −1 devices')).toBeTruthy();
    sendList(groups.listGroups, []);
    await user.click(screen.getAllByRole('link', { name: 'Groups' })[0]!);
    expect((await question()).textContent).toContain('There are unsaved changes. Do you want to leaving?');
    await user.click(within(await question()).getByRole('button', { name: 'No' }));
    respond(groups.saveWholeGroup, example(groups.saveWholeGroup));
    await user.click(save());
    await expect.poll(sent).toEqual({
      group: 'north',
      is_postpone: false,
      add: ['C9'],
      remove: ['mine'],
      confirmed: { joining: 'none', leaving: 'none' },
    });
  });

  test('GRP-09-partial a group whose last device goes may be deleted, or stays', async () => {
    const { open, user, respond, sendList, requests, check, edit, press, address } = startMoves();
    respond(groups.deleteGroups, { result: { deleted: 1 } });
    await open('/groups/detail?group=north');
    const empty = async () => {
      await edit();
      await check('In this group', 'HL-MINE');
      await press('Move to default');
      await press('Save');
      expect((await question()).textContent).toContain('Delete Empty Group?');
    };
    await empty();
    await user.click(button('No'));
    await edit();
    await check('Default group', 'HL-MINE');
    await press('Move into group');
    await press('Save');
    expect(isBlocked(save())).toBe(true);
    await empty();
    sendList(groups.listGroups, []);
    await user.click(within(await question()).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Group delete success!')).toBeTruthy();
    await expect.poll(address).toMatch(/^\/groups\/list/u);
    expect(requests(groups.deleteGroups)[0]?.body).toEqual({ groups: ['north'], confirmed: 'none' });
  });

  test('GRP-09-partial a vehicle that joins or leaves is named with what is bound there, before the save', async () => {
    const { open, user, respond, impact, requests, check, edit, press, sent } = startMoves();
    const arrival = (name: string) => ({ ...impact({ change: 1, offline: 0, vehicles: ['Bus 9'] }), name });
    respond(rollouts.moveImpact, ({ body }) => ({
      result: {
        firmware: arrival(body.group === DEFAULT_GROUP_KEY ? '32.2.0' : '32.3.0'),
        config: null,
        confirmation: body.group === DEFAULT_GROUP_KEY ? 'leaves' : 'joins',
      },
    }));
    respond(groups.saveWholeGroup, example(groups.saveWholeGroup));
    await open('/groups/detail?group=north');
    await edit();
    await check('In this group', 'HL-MINE');
    await press('Move to default');
    await check('Default group', 'HL-A');
    await press('Move into group');
    await press('Save');
    await user.click(save());
    const says = async (...parts: readonly string[]) => {
      await screen.findByText(new RegExp(parts[0]!.replaceAll('.', String.raw`\.`), 'u'));
      for (const part of [...parts, '1 vehicle restarts now', 'Bus 9', 'rolls back by itself'])
        expect((await question()).textContent).toContain(part);
    };
    await says('Firmware 32.3.0 is bound to group North.');
    await user.click(within(await question()).getByRole('button', { name: 'Cancel' }));
    expect(requests(groups.saveWholeGroup)).toEqual([]);
    await user.click(save());
    await says('Firmware 32.3.0 is bound to group North.');
    await user.click(within(await question()).getByRole('button', { name: 'Save' }));
    await says('Firmware 32.2.0 is bound to group default.');
    await user.click(within(await question()).getByRole('button', { name: 'Save' }));
    await expect.poll(sent).toMatchObject({ add: ['A'], remove: ['mine'], confirmed: { joining: 'joins', leaving: 'leaves' } });
  });

  test('GRP-09-partial a vehicle that never connected or is parked is not called offline', async () => {
    const { open, user, respond, sendList, loaded } = startForm();
    respond(rollouts.moveImpact, { result: { firmware: null, config: null, confirmation: 'none' } });
    const base = { presence: 'offline' as const, movable: true };
    sendList(groups.listMembers, [
      { ...base, device: 'n', serial_number: 'HL-N', presence_since: null, offline_expected: null },
      { ...base, device: 'p', serial_number: 'HL-P', presence_since: 1_795_425_000, offline_expected: 'parked' },
      { ...base, device: 'o', serial_number: 'HL-O', presence_since: 1_795_425_000, offline_expected: null },
    ]);
    await open('/groups/detail?group=north');
    await user.click(button('Devices Edit'));
    await loaded();
    const mine = within(screen.getByRole('group', { name: 'In this group' }));
    const row = async (serial: string) => (await mine.findByRole('row', { name: new RegExp(serial, 'u') })).textContent;
    expect(await row('HL-N')).toContain('Never connected');
    expect(await row('HL-P')).toContain('Parked');
    expect(await row('HL-O')).toContain('Offline');
  });

  test('GRP-09-partial those of the default group are only looked at, and it keeps its name', async () => {
    const { open, user, respond, group, loaded } = startMoves();
    respond(groups.getGroup, { result: { ...group, group: DEFAULT_GROUP_KEY, groupName: 'default' } });
    await open('/groups/detail?group=default%2Bgroup%2Bid');
    expect(screen.getByLabelText(/^Group Name/u).hasAttribute('readonly')).toBe(true);
    await user.click(button('Devices View'));
    await loaded();
    const dialog = within(screen.getByRole('dialog', { name: 'Devices of default' }));
    expect(await dialog.findByText('1–10 of 13')).toBeTruthy();
    expect(dialog.queryByRole('checkbox')).toBeNull();
  });
});
