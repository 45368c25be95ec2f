import {
  accounts,
  colleagues,
  configs,
  deviceAdding,
  devices,
  esims,
  type FailureKey,
  groups,
  inventory,
  notifications,
  type Operation,
  organizations,
  reports,
} from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { example, Failed, startConsole } from '../testing/console.tsx';

// The common behaviour of all forms: Save waits for a change, failures are readable, and unsaved input is never lost without a warning.

type Console = ReturnType<typeof startConsole>;

interface Form {
  readonly path: string;
  readonly role?: 'main';
  /** The label of its Save button. */
  readonly save: string;
  /** What the server answers, other than the examples. */
  readonly prepare?: (console: Console) => void;
  readonly change: (console: Console) => Promise<void>;
  /** The call that saves. */
  readonly call: Operation;
  /** The failure after which OK leads to this list. */
  readonly gone?: readonly [key: FailureKey, list: string];
  /** Leaving offers to discard or to save, or only to leave. */
  readonly responses?: readonly string[];
}

const fillAll =
  (fields: Readonly<Record<string, string>>) =>
  async ({ fill }: Console) => {
    for (const [label, text] of Object.entries(fields)) await fill(screen.getByRole('textbox', { name: label }), text);
  };
const fill = (label: string, text: string) => fillAll({ [label]: text });
const pick =
  (name: string, content: string) =>
  async ({ user }: Console) =>
    user.upload(document.querySelector<HTMLInputElement>('input[type=file]')!, new File([content], name, { type: 'text/csv' }));

/** Good rows that change no connection. */
const { result } = example(esims.importProfiles);
const checked = { result: { ...result, impact: { ...result.impact, carrier: 0, unreachable: 0, accessPoint: 0, vehicles: [] } } };

const forms: readonly Form[] = [
  { path: '/groups/add', save: 'Save', change: fill('Group Name', 'North'), call: groups.createGroup, responses: ['No', 'Yes'] },
  {
    path: '/groups/detail?group=north',
    save: 'Save',
    change: fill('Description', 'changed'),
    call: groups.saveWholeGroup,
    responses: ['No', 'Yes'],
    gone: ['group.not_found', '/groups/list'],
  },
  { path: '/groups/configAdd', save: 'Upload', change: pick('depot.cfg', 'ntp on\n'), call: configs.uploadConfig },
  {
    path: '/groups/configSetting?config=depot',
    save: 'Save',
    change: fill('Description', 'changed'),
    call: configs.saveConfig,
    gone: ['config.not_found', '/groups/config'],
  },
  {
    path: '/devices/setting?device=one&tab=settings',
    save: 'Save',
    change: fill('Notes', 'changed'),
    call: devices.saveDevice,
    gone: ['not_found', '/devices/list'],
  },
  {
    path: '/devices/add?method=manual',
    save: 'Add',
    change: fillAll({
      'Serial number': 'HL5-1',
      'MAC address': '00B2D056C227',
      'Start Date': '01/01/2026',
      'Expiry Date': '12/31/2031',
    }),
    call: deviceAdding.addDevices,
  },
  {
    path: '/devices/add?method=import',
    save: 'Import',
    change: pick('routers.csv', 'SN,MAC\r\nx,y\r\n'),
    call: deviceAdding.importDevices,
  },
  {
    path: '/devices/esimsAdd',
    save: 'Import',
    change: pick('esims.csv', 'SN,EID\r\nx,y\r\n'),
    call: esims.importProfiles,
    prepare: ({ respond }) => respond(esims.importProfiles, checked),
  },
  { path: '/devices/esimsEdit?profile=example', save: 'Save', change: fill('eSIM name', 'changed'), call: esims.saveProfile },
  {
    path: '/devices/service/noitify',
    save: 'Save',
    change: fill('Email', 'new@partner.example'),
    call: notifications.saveRecipient,
  },
  {
    path: '/users/add',
    save: 'Add',
    change: fillAll({ Username: 'Nora', Email: 'nora@highline.example' }),
    call: accounts.createAccount,
  },
  {
    path: '/users/detail?user=one',
    save: 'Save',
    change: fill('Username', 'changed'),
    call: accounts.editAccount,
    gone: ['account.not_found', '/users'],
  },
  {
    path: '/organization/setting?org=one',
    role: 'main',
    save: 'Save',
    change: fill('Phone', '+1 312 555 0199'),
    call: organizations.saveOrganization,
  },
  {
    path: '/organization/addUser?org=one',
    role: 'main',
    save: 'Add',
    change: fillAll({ Username: 'Rosa', Email: 'rosa@highline.example' }),
    call: accounts.createAccount,
  },
  {
    path: '/devices/setting?device=one&tab=settings',
    role: 'main',
    save: 'Save',
    change: fill('Expiry Date', '12/31/2033'),
    call: devices.saveSubscription,
    gone: ['not_found', '/devices/orgList'],
  },
];

const isOff = (button: HTMLElement) => button.getAttribute('aria-disabled') === 'true';
const question = () => screen.findByRole('alertdialog');

describe.each(forms)('$path', (form) => {
  const start = async () => {
    const console = startConsole({ role: form.role ?? 'admin' });
    form.prepare?.(console);
    await console.open(form.path);
    // The main account sees a device's other form too, to look at.
    const save = (await screen.findAllByRole('button', { name: form.save }))[0]!;
    return { ...console, save, change: () => form.change(console) };
  };
  const choose = async ({ user }: Pick<Console, 'user'>, name: string) =>
    user.click(within(await question()).getByRole('button', { name }));
  const away = ({ user }: Pick<Console, 'user'>) =>
    user.click(within(screen.getByRole('navigation', { name: 'Menu' })).getAllByRole('link')[0]!);

  test('SHR-01 SHR-06 Save waits for a change, a failure is shown in a dialog titled Error Message, and leaving warns', async () => {
    const page = await start();
    const { save, change, user, respond, fail, requests, address } = page;
    expect(isOff(save)).toBe(true);
    await change();
    await expect.poll(() => isOff(save)).toBe(false);
    if (form.call === esims.importProfiles)
      respond(esims.importProfiles, ({ query }) =>
        query.confirmed === undefined ? checked : new Failed('server.fault', { message: 'It failed.' }),
      );
    else fail(form.call, 'server.fault', { message: 'It failed.' });
    await user.click(save);
    const dialog = await question();
    expect(within(dialog).getByRole('heading').textContent).toBe('Error Message');
    expect(dialog.textContent).toContain('It failed.');
    expect(
      within(dialog)
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(['OK']);
    await choose(page, 'OK');
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(requests(form.call)).not.toHaveLength(0);
    expect(address()).toContain(form.path.split('&')[0]);
    // Organizations and contacts start over after a failure (ORG-06); everything else is still typed.
    if (form.path.startsWith('/organization/')) await change();
    const responses = form.responses ?? ['Discard', 'Save'];
    await away(page);
    const leave = await question();
    expect(leave.textContent).toContain(
      form.responses === undefined
        ? 'There are unsaved changes. Do you want to save them before leaving?'
        : 'There are unsaved changes. Do you want to leaving?',
    );
    expect(
      within(leave)
        .getAllByRole('button')
        .map(({ textContent }) => textContent),
    ).toEqual(responses);
    if (form.responses === undefined) await user.keyboard('{Escape}');
    else await choose(page, 'No');
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(address()).toContain(form.path.split('&')[0]);
    expect(isOff(save)).toBe(false);
    await away(page);
    await choose(page, form.responses === undefined ? 'Discard' : 'Yes');
    await expect.poll(address).toBe(form.role === 'main' ? '/organization' : '/dashboard');
  });

  if (form.gone !== undefined || form.path.startsWith('/organization/setting'))
    test('SHR-06-partial it is saved once the server says so: leaving while the page loads again does not ask', async () => {
      const page = await start();
      await page.change();
      const releases = [
        groups.getGroup,
        configs.getConfig,
        devices.getDevice,
        accounts.getAccount,
        organizations.listOrganizations,
      ].map(page.hold);
      await page.user.click(page.save);
      await screen.findByText(/Edit success|Save Success/u);
      await away(page);
      await expect.poll(page.address).not.toContain(form.path.split('?')[0]);
      expect(screen.queryByRole('alertdialog')).toBeNull();
      for (const release of releases) release();
    });

  if (form.gone === undefined) return;
  const [key, list] = form.gone;
  test('SHR-01-partial what no longer exists leads to its list, without a warning about unsaved changes', async () => {
    const page = await start();
    await page.change();
    page.fail(form.call, key);
    await page.user.click(page.save);
    expect((await question()).textContent).toMatch(/does not exist|no longer exists|not found/iu);
    await choose(page, 'OK');
    await expect.poll(() => page.address().split('?')[0]).toBe(list);
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });
});

describe('dialogs', () => {
  test.each([
    {
      path: '/inventory',
      button: 'Add router',
      fields: { 'Serial number': 'HL5-1', 'MAC address': '00B2D056C227' },
      call: inventory.addRouter,
    },
    {
      path: '/colleagues',
      button: 'Add',
      fields: { Name: 'Kim Lee', Email: 'kim@highline.example' },
      call: colleagues.inviteColleague,
    },
  ])(
    'SHR-01-partial SHR-06-partial that of $path waits for input and keeps it after a failure',
    async ({ path, button, fields, call }) => {
      const { open, user, fill, fail } = startConsole({ role: 'main' });
      await open(path);
      await user.click(screen.getByRole('button', { name: button }));
      const sheet = within(await screen.findByRole('dialog'));
      const add = sheet.getByRole('button', { name: 'Add' });
      expect(isOff(add)).toBe(true);
      for (const [label, text] of Object.entries(fields)) await fill(sheet.getByRole('textbox', { name: label }), text);
      expect(isOff(add)).toBe(false);
      fail(call, 'server.busy', { message: 'not now' });
      await user.click(add);
      expect((await question()).textContent).toBe('Error Messagenot nowOK');
      await user.click(within(await question()).getByRole('button', { name: 'OK' }));
      for (const [label, text] of Object.entries(fields))
        expect(sheet.getByRole<HTMLInputElement>('textbox', { name: label }).value).toBe(text);
    },
  );

  test('SHR-06-partial Upload of firmware waits for a file', async () => {
    const main = startConsole({ role: 'main' });
    await main.open('/firmware');
    await main.user.click(screen.getAllByRole('button', { name: 'Upload' })[0]!);
    const upload = within(await screen.findByRole('dialog')).getByRole('button', { name: 'Upload' });
    expect(isOff(upload)).toBe(true);
    await pick('firmware.bin', 'image')(main);
    expect(isOff(upload)).toBe(false);
  });

  test('SHR-06-partial Save of the devices of a group waits for a move', async () => {
    const { open, user } = startConsole();
    await open('/groups/add');
    await user.click(screen.getByRole('button', { name: 'Devices Edit' }));
    expect(isOff(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Save' }))).toBe(true);
  });
});

describe('SHR-09 generic texts', () => {
  test('SHR-09 a field that is required or invalid says so, a name that is taken too, and what was saved is named', async () => {
    const { open, visit, user, fill, fail, respond, requests, address } = startConsole();
    await open('/devices/add?method=manual');
    await fill(screen.getByRole('textbox', { name: 'MAC address' }), '00B2D0');
    await user.click(screen.getByRole('button', { name: 'Add' }));
    expect(screen.getByText('Please enter the Serial number')).toBeTruthy();
    expect(screen.getByText('Invalid MAC address format')).toBeTruthy();
    expect(requests(deviceAdding.addDevices)).toEqual([]);
    await fill(screen.getByRole('textbox', { name: 'MAC address' }), '');
    await visit('/groups/add');
    const name = screen.getByRole('textbox', { name: 'Group Name' });
    await fill(name, 'Depot');
    fail(groups.createGroup, 'group.name_taken', { field: 'name' });
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Group Name already exists')).toBeTruthy();
    expect(screen.queryByRole('alertdialog')).toBeNull();
    await fill(name, 'North');
    expect(screen.queryByText('Group Name already exists')).toBeNull();
    respond(groups.createGroup, example(groups.createGroup));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Group Save Success')).toBeTruthy();
    await expect.poll(address).toMatch(/^\/groups\/list/u);
  });

  test('SHR-09-partial a condition that a property does not have is an error, and numbers have at most 10 decimals', async () => {
    const { open, visit, user, sendList } = startConsole();
    sendList(reports.listProperties, [
      { property_id: 'online', property_name: 'Online', property_type: 'bool' },
      { property_id: 'voltage', property_name: 'Voltage', property_type: 'number', unit: 'V' },
    ]);
    sendList(reports.listRecords, [
      { field: 'voltage', field_type: 'number', field_value: 0.3 },
      { field: 'voltage', field_type: 'number', field_value: 0.3333333333 },
    ]);
    await open('/reports/analysis?group=default%2Bgroup%2Bid&property=online&condition=more&value=1');
    await user.click(within(screen.getByRole('group', { name: 'Draw a chart' })).getByRole('button', { name: /^Devices/u }));
    expect(await screen.findByText('Condition Error')).toBeTruthy();
    await visit('/reports/list/record?day=week&property=voltage');
    expect(screen.getByText('0.3 V')).toBeTruthy();
    expect(screen.getByText('0.3333333333 V')).toBeTruthy();
  });
});
