// @vitest-environment happy-dom
import { devices, rollouts, routerSettings as calls, sentCommands, settingSchemas } from '@highline/contract';
import { focusManager } from '@tanstack/react-query';
import { screen, within } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { example, startConsole } from '../../testing/console.tsx';

const SSID = 'WiFi.SSID[name=passengers].SSID';
const APN = 'Cellular.AccessPoint[name=internet].APN';
const PASSPHRASE = 'WiFi.AccessPoint[ssid=passengers].Security.KeyPassphrase';

const level: calls.LevelSettings = {
  level: 'group',
  name: 'North depot',
  version: 3,
  changed: '2026-11-23T09:27:00Z',
  by: 'ana@lakeshore.example',
  values: [
    { path: SSID, value: 'Old' },
    { path: PASSPHRASE, value: null },
  ],
  inherited: [{ path: 'Time.NTPServer1', value: 'time.example.com', from: 'organization' }],
  devices: 12,
  exceptions: 1,
};
const difference: calls.SettingsPreview = {
  devices: 12,
  changing: 12,
  changes: [{ path: SSID, before: 'Old', after: 'New', isSecret: false, devices: 12, canCut: false }],
  withoutReturn: { devices: 0, serials: [] },
  problems: [{ path: SSID, kind: 'variable', text: 'route', devices: 3, serials: ['HL-1', 'HL-2', 'HL-3'] }],
};

async function startForm(role: 'admin' | 'user' = 'admin') {
  const tools = startConsole({ role });
  tools.respond(calls.readSettings, { result: level });
  tools.respond(calls.previewSettings, { result: difference });
  tools.respond(settingSchemas.listSchemaFiles, { result: [] });
  await tools.open('/groups/settings?group=north');
  await screen.findByRole('heading', { name: 'Router settings of North depot' });
  return tools;
}
const nameOf = () => screen.getAllByLabelText<HTMLInputElement>('Network name (SSID)')[0]!;

test('TPL-01 a form shows what is set here, what is inherited, and that a passphrase is stored', async () => {
  await startForm();
  expect(nameOf().value).toBe('Old');
  expect(screen.getByText(/12 vehicles · 1 with its own values/u)).toBeTruthy();
  const server = screen.getByLabelText<HTMLInputElement>('Time server');
  expect(server.value).toBe('');
  expect(server.placeholder).toBe('time.example.com');
  expect(screen.getByText('time.example.com, from the organization.')).toBeTruthy();
  expect(screen.getAllByLabelText<HTMLInputElement>('Passphrase')[0]?.placeholder).toBe('Stored');
});

test('TPL-01-partial input stays when the group is renamed meanwhile', async () => {
  const { user, respond } = await startForm();
  await user.type(nameOf(), ' 2');
  respond(calls.readSettings, { result: { ...level, name: 'Depot North' } });
  // As when the window comes to the front again, some time later.
  vi.setSystemTime(Date.now() + 60_000);
  focusManager.setFocused(false);
  focusManager.setFocused(true);
  onTestFinished(() => focusManager.setFocused(undefined));
  await screen.findByRole('heading', { name: 'Router settings of Depot North' });
  expect(nameOf().value).toBe('Old 2');
});

test('TPL-03 the difference is shown before it is saved and rolled out, in five presses, and the page of the vehicles shows how far it is', async () => {
  const { user, requests, respond, sendList } = await startForm();
  respond(calls.saveSettings, { result: { ...level, version: 4 } });
  const rollout = { ...example(rollouts.listRollouts).result[0]!, kind: 'settings' as const, name: '4', version: 4, waves: null };
  respond(rollouts.rollOutSettings, { result: rollout });
  respond(rollouts.listRollouts, { result: [rollout] });
  sendList(rollouts.listTargets, []);
  sendList(calls.listSettings, []);
  await user.clear(nameOf());
  await user.type(nameOf(), 'New');
  await user.click(screen.getByRole('button', { name: 'Review changes' }));
  const dialog = await screen.findByRole('dialog');
  expect(await within(dialog).findByText(/Something changes for 12 of 12 vehicles/u)).toBeTruthy();
  expect(dialog.textContent).toContain('12 vehicles: Wi-Fi for passengers: Network name (SSID) Old → New');
  expect(dialog.textContent).toContain('3 vehicles lack {{route}}');
  await user.selectOptions(within(dialog).getAllByRole('combobox')[0]!, 'still');
  await user.click(within(dialog).getByRole('button', { name: 'Save and send to 12 vehicles' }));
  await expect.poll(() => requests(rollouts.rollOutSettings)).toHaveLength(1);
  expect(requests(calls.saveSettings)[0]?.body).toEqual({
    group: 'north',
    values: [
      { path: SSID, value: 'New' },
      { path: PASSPHRASE, value: null },
    ],
  });
  expect(requests(rollouts.rollOutSettings)[0]?.body).toEqual({
    group: 'north',
    version: 4,
    window: { stillMinutes: 10, zone: expect.any(String) },
  });
  expect(await screen.findByRole('heading', { name: 'Settings by vehicle' })).toBeTruthy();
  expect(await screen.findByRole('heading', { name: 'Rollout of router settings, version 4' })).toBeTruthy();
});

test.each(['approval.waiting', 'server.fault'] as const)(
  'TPL-03-partial settings that are saved but not sent (%s) are no changes any more, and are sent without saving them again',
  async (key) => {
    const { user, requests, respond, fail, address } = await startForm();
    const saved = { ...level, version: 4, values: [{ path: SSID, value: 'New' }, level.values[1]!] };
    respond(calls.saveSettings, () => {
      respond(calls.readSettings, { result: saved });
      return { result: saved };
    });
    fail(rollouts.rollOutSettings, key);
    await user.clear(nameOf());
    await user.type(nameOf(), 'New');
    await user.click(screen.getByRole('button', { name: 'Review changes' }));
    await user.click(await screen.findByRole('button', { name: 'Save and send to 12 vehicles' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'OK' }));
    expect(screen.getByText('The settings were saved. Nothing was sent.')).toBeTruthy();
    expect(screen.queryByText('1 value changed')).toBeNull();
    if (key === 'approval.waiting') {
      expect(screen.queryByRole('dialog')).toBeNull();
      return;
    }
    respond(rollouts.rollOutSettings, example(rollouts.rollOutSettings));
    await user.click(await screen.findByRole('button', { name: 'Send to 12 vehicles' }));
    await expect.poll(address).toMatch(/^\/groups\/settings\/devices/u);
    expect(requests(calls.saveSettings)).toHaveLength(1);
    expect(requests(rollouts.rollOutSettings).map(({ body }) => body.version)).toEqual([4, 4]);
  },
);

test('TPL-03 TPL-04 what can cut vehicles off is confirmed first, with those that do not return named, goes to five first unless others are chosen, and a value that does not fit is not reviewed', async () => {
  const { user, respond, requests } = await startForm();
  respond(rollouts.bindingImpact, {
    result: {
      firmware: null,
      config: null,
      first: { routers: 5, offline: 0, vehicles: ['Bus 1', 'Bus 2', 'Bus 3', 'Bus 4', 'Bus 5'], waves: [7] },
      window: null,
    },
  });
  respond(calls.previewSettings, {
    result: {
      ...difference,
      changes: [{ path: APN, before: null, after: 'x', isSecret: false, devices: 12, canCut: true }],
      withoutReturn: { devices: 2, serials: ['HL-1', 'HL-2'] },
    },
  });
  await user.type(screen.getByLabelText('First address'), '1.2.3');
  expect(screen.getByText(/This must be an IPv4 address/u)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Review changes' }).getAttribute('aria-disabled')).toBe('true');
  await user.clear(screen.getByLabelText('First address'));
  await user.type(screen.getByLabelText('APN'), 'x');
  await user.click(screen.getByRole('button', { name: 'Review changes' }));
  const send = await screen.findByRole('button', { name: 'Save and send to 12 vehicles' });
  expect(send.getAttribute('aria-disabled')).toBe('true');
  expect(screen.getByRole('note').textContent).toContain('2 routers cannot return');
  expect(screen.getByRole('note').textContent).toContain('HL-1, HL-2');
  await user.click(screen.getByLabelText('I have checked these values'));
  expect(send.getAttribute('aria-disabled')).not.toBe('true');
  const options = screen.getByRole('group', { name: 'Rollout: which go first, and how it goes on' });
  expect(await screen.findByText('First 5: Bus 1, Bus 2, Bus 3, Bus 4, Bus 5')).toBeTruthy();
  expect(requests(rollouts.bindingImpact)[0]?.body).toEqual({ group: 'north', canaries: 5 });
  await user.type(within(options).getByLabelText(/Canary: update first/u), '0');
  await user.selectOptions(within(options).getByLabelText('Then go on'), 'person');
  expect(screen.getAllByText('Choose what goes first, or several waves.').length).toBeGreaterThan(0);
  expect(send.getAttribute('aria-disabled')).toBe('true');
  await user.selectOptions(within(options).getByLabelText('The others'), 'half');
  expect(send.getAttribute('aria-disabled')).not.toBe('true');
  respond(calls.saveSettings, { result: { ...level, version: 4 } });
  respond(rollouts.rollOutSettings, { result: { ...example(rollouts.rollOutSettings).result, kind: 'settings' } });
  await user.click(send);
  await expect
    .poll(() => requests(rollouts.rollOutSettings)[0]?.body)
    .toEqual({ group: 'north', version: 4, waves: { rule: 'person', shares: [50] } });
});

test('SHR-06-partial TPL-03-partial Cancel of the review asks before it drops how the rollout was to go', async () => {
  const { user } = await startForm();
  await user.type(nameOf(), 'New');
  await user.click(screen.getByRole('button', { name: 'Review changes' }));
  const dialog = within(screen.getByRole('dialog'));
  await user.selectOptions(dialog.getByLabelText('Then go on'), 'person');
  const cancel = async (name: 'Yes' | 'No') => {
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name }));
  };
  await cancel('No');
  expect(dialog.getByLabelText<HTMLSelectElement>('Then go on').value).toBe('person');
  await cancel('Yes');
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
});

test('TPL-02 a user reads the form and cannot change it', async () => {
  await startForm('user');
  expect(nameOf().disabled).toBe(true);
  expect(screen.getByRole('button', { name: 'Send again' }).getAttribute('aria-disabled')).toBe('true');
});

test('TPL-05 the list says which vehicles differ, since when, and what the last command said; it fails and is empty too', async () => {
  const { open, visit, sendList, fail, user, loaded } = startConsole();
  fail(calls.listSettings, 'server.busy');
  await open('/groups/settings/devices');
  expect((await screen.findByRole('alert')).textContent).toContain('The server is busy.');
  const row = example(calls.listSettings).result[0]!;
  sendList(calls.listSettings, [
    {
      ...row,
      vehicle_number: 'Bus 7',
      state: 'differs',
      differs: 2,
      since: '2026-11-23T09:27:00Z',
      exceptions: 1,
      command: { ...row.command!, state: 'failed', message: 'not changed' },
    },
  ]);
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await loaded();
  const [, first] = screen.getAllByRole('row');
  for (const text of ['Bus 7', 'Differs', '2 values, since', 'Failed: not changed', '1 value'])
    expect(first?.textContent).toContain(text);
  await visit('/groups/settings/devices?state=differs');
  await user.click(await screen.findByRole('button', { name: 'Restore all' }));
  expect((await screen.findByRole('alertdialog')).textContent).toContain('A wrong value can cut vehicles off');
});

test('TPL-03 above the list is how far the settings of the whole organization are: a user sees it and changes nothing', async () => {
  const { open, sendList, respond, requests, fail } = startConsole({ role: 'user' });
  sendList(calls.listSettings, []);
  const rollout = { ...example(rollouts.listRollouts).result[0]!, kind: 'settings' as const, name: '7', version: 7, waves: null };
  respond(rollouts.listRollouts, { result: [rollout] });
  fail(rollouts.listTargets, 'server.busy');
  await open('/groups/settings/devices');
  const panel = within(await screen.findByRole('region', { name: 'Rollout of router settings, version 7' }));
  expect(requests(rollouts.listRollouts)[0]?.query.group).toBeUndefined();
  expect((await panel.findByRole('alert')).textContent).toContain('The server is busy.');
  for (const name of [/^Pause/u, /^Cancel/u, /^Resume/u, /^Retry failed/u])
    expect(panel.queryByRole('button', { name })).toBeNull();
});

test('TPL-05-partial who is limited to some vehicles reads why the settings of their routers are not shown, and nothing is fetched', async () => {
  const limitedTo = { groups: [{ id: 'north', name: 'North depot' }], tags: [] };
  const { open, requests } = startConsole({ session: { limitedTo } });
  await open(`/devices/setting?device=${example(calls.readDeviceSettings).result.device}&tab=settings`);
  const panel = (await screen.findByRole('heading', { name: 'Router settings' })).closest('section')!;
  expect(panel.textContent).toContain('You see only some of its vehicles');
  expect(within(panel).queryByRole('button')).toBeNull();
  expect(requests(calls.readDeviceSettings)).toEqual([]);
});

test('TPL-05 the page of a device shows each value with its origin and what the router has, to send or adopt', async () => {
  const { open, respond, fail, requests, user } = startConsole();
  const settings: calls.DeviceSettings = {
    ...example(calls.readDeviceSettings).result,
    state: 'differs',
    command: null,
    values: [
      {
        path: SSID,
        value: 'Bus {{vehicle}}',
        resolved: 'Bus 7',
        from: 'group',
        overrides: [{ path: SSID, value: 'Fleet', from: 'organization' }],
        state: 'differs',
        actual: 'Mine',
        since: '2026-11-23T09:27:00Z',
        by: 'kim@lakeshore.example',
        message: '',
      },
      {
        path: 'Time.NTPServer1',
        value: 'time.example.com',
        resolved: 'time.example.com',
        from: 'group',
        overrides: [],
        state: 'differs',
        actual: '',
        since: '2026-11-23T09:27:00Z',
        by: '',
        message: '',
      },
    ],
    removals: ['NAT.PortMapping[name=camera]'],
  };
  respond(calls.readDeviceSettings, { result: settings });
  respond(calls.adoptSettings, { result: settings });
  respond(sentCommands.sendCommand, example(sentCommands.sendCommand));
  await open(`/devices/setting?device=${settings.device}&tab=settings`);
  const panel = (await screen.findByRole('heading', { name: 'Router settings' })).closest('section')!;
  expect(await within(panel).findByText('The router has Mine.')).toBeTruthy();
  for (const text of [
    'Bus 7',
    'from the group',
    'Replaces Fleet, from the organization.',
    'kim@lakeshore.example had a remote session then.',
    'The router has no value.',
    'Forwarded port camera',
  ])
    expect(panel.textContent).toContain(text);
  await user.click(within(panel).getByRole('button', { name: 'Adopt what the router has' }));
  await expect.poll(() => requests(calls.adoptSettings)).toHaveLength(1);
  // Sending does not wait for a read of the router, which fails where it does not respond.
  fail(calls.readDeviceSettings, 'server.fault');
  const read = example(devices.getDevice).result;
  respond(devices.getDevice, { result: { ...read, presence: 'online' } });
  await user.click(within(panel).getByRole('button', { name: 'Send settings' }));
  await expect.poll(() => requests(sentCommands.sendCommand)[0]?.body).toMatchObject({ kind: 'apply-settings', wait: 168 });
  expect(await screen.findByText('The settings are on their way.')).toBeTruthy();
  respond(devices.getDevice, { result: { ...read, presence: 'offline' } });
  await user.click(within(panel).getByRole('button', { name: 'Send settings' }));
  expect(await screen.findByText('The settings wait until they can be sent to the router.')).toBeTruthy();
});

test('TPL-01 the form has every part, and a forwarded port is added, inherited and removed by its name', async () => {
  const tools = startConsole();
  const inheritedRule = (name: string, value: string) => ({
    path: `Firewall.Chain[at=1].Rule[name=quiet].${name}`,
    value,
    from: 'organization' as const,
  });
  tools.respond(calls.readSettings, {
    result: {
      ...level,
      inherited: [inheritedRule('Order', '1'), inheritedRule('Target', 'Drop'), inheritedRule('Enable', 'true')],
    },
  });
  tools.respond(calls.previewSettings, { result: difference });
  tools.respond(calls.saveSettings, { result: { ...level, version: 4 } });
  tools.respond(settingSchemas.listSchemaFiles, { result: [] });
  const { user, requests } = tools;
  await tools.open('/groups/settings?group=north');
  await screen.findByRole('heading', { name: 'Router settings of North depot' });
  for (const name of [
    'Wi-Fi for passengers',
    'Wi-Fi radio 5GHz',
    'Time',
    'Own network (LAN)',
    'Addresses (DHCP)',
    'Name servers (DNS)',
    'Port forwarding',
    'Firewall',
    'Routes',
    'Order of uplinks',
    'Mobile network and SIM',
    'Access to the router',
  ])
    expect(screen.getByRole('heading', { name })).toBeTruthy();
  expect(screen.getByRole('group', { name: 'Rule quiet' }).textContent).toContain('from the organization');
  const add = screen.getByRole('button', { name: 'Add forwarded port' });
  expect(add.getAttribute('aria-disabled')).toBe('true');
  await user.type(screen.getByLabelText('Name of a new forwarding'), 'camera');
  await user.click(add);
  const entry = within(screen.getByRole('group', { name: 'Forwarded port camera' }));
  await user.type(entry.getByLabelText('Port of the router'), '70000');
  expect(entry.getByText('This must be a whole number from 1 to 65535.')).toBeTruthy();
  await user.clear(entry.getByLabelText('Port of the router'));
  await user.type(entry.getByLabelText('Port of the router'), '8443');
  await user.selectOptions(entry.getByLabelText('Protocol'), 'TCP');
  await user.type(entry.getByLabelText('Address of the device'), '192.168.1.20');
  await user.type(entry.getByLabelText('Port of the device'), '443');
  await user.click(screen.getByRole('button', { name: 'Review changes' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Save only' }));
  await expect.poll(() => requests(calls.saveSettings)).toHaveLength(1);
  const camera = (name: string, value: string) => ({ path: `NAT.PortMapping[name=camera].${name}`, value });
  expect(requests(calls.saveSettings)[0]?.body).toMatchObject({
    values: [
      { path: SSID },
      { path: PASSPHRASE },
      camera('ExternalPort', '8443'),
      camera('Protocol', 'TCP'),
      camera('InternalClient', '192.168.1.20'),
      camera('InternalPort', '443'),
      camera('Enable', 'true'),
    ],
  });
});

test('TPL-01 a schema file adds fields with its own labels to the form, one that is none says so, and it is removed after a question', async () => {
  const { open, respond, user, requests } = startConsole();
  const file: settingSchemas.SchemaFile = {
    name: 'Acme A10',
    models: ['A10*'],
    settings: [{ path: 'X_ACME_Gps.Interval', label: { en: 'Position interval' }, type: 'number', least: 1, most: 60 }],
  };
  respond(calls.readSettings, { result: { ...level, level: 'organization', name: '', inherited: [] } });
  respond(settingSchemas.listSchemaFiles, { result: [] });
  respond(settingSchemas.saveSchemaFile, { result: [file] });
  respond(settingSchemas.deleteSchemaFile, { result: [] });
  await open('/groups/settings');
  expect(await screen.findByText('No schema file yet.')).toBeTruthy();
  const input = screen.getByLabelText<HTMLInputElement>('Add schema file', { selector: 'input' });
  await user.upload(input, new File(['{'], 'broken.json', { type: 'application/json' }));
  expect((await screen.findByRole('alert')).textContent).toContain('broken.json is no JSON file');
  // As Windows PowerShell writes it.
  const wide = Buffer.from(`\ufeff${JSON.stringify(file)}`, 'utf16le');
  await user.upload(input, new File([wide], 'acme.json', { type: 'application/json' }));
  expect(await screen.findByRole('heading', { name: 'Acme A10' })).toBeTruthy();
  expect(requests(settingSchemas.saveSchemaFile)[0]?.body).toEqual({ schema: file });
  await user.type(screen.getByLabelText('Position interval'), '99');
  expect(screen.getByText('This must be a whole number from 1 to 60.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Remove schema file Acme A10' }));
  const question = await screen.findByRole('alertdialog', { name: 'Remove schema file “Acme A10”?' });
  expect(question.textContent).toContain('This action is permanent and cannot be undone.');
  expect(requests(settingSchemas.deleteSchemaFile)).toEqual([]);
  await user.click(within(question).getByRole('button', { name: 'Remove' }));
  await expect.poll(() => requests(settingSchemas.deleteSchemaFile)[0]?.body).toEqual({ name: 'Acme A10' });
});

test('TPL-02 values from a file are checked before they are saved, and bad rows and ignored columns are named', async () => {
  const { open, sendList, respond, requests, user, hold, loaded } = startConsole();
  sendList(calls.listSettings, []);
  const result: calls.SettingsImport = {
    dryRun: true,
    rows: 400,
    changed: 398,
    unchanged: 0,
    failed: 1,
    fail: [{ row: 3, serial: 'HL-2', kind: 'device', path: '' }],
    doubted: 1,
    doubts: [{ row: 9, serial: 'HL-8', path: SSID, kind: 'variable', text: 'route' }],
    file: { encoding: 'windows-1252', encodingAssumed: true, ignored: ['Vehicle', 'State'] },
  };
  respond(calls.importSettingsFile, { result });
  await open('/groups/settings/devices');
  await user.click(await screen.findByRole('button', { name: 'Values from a file' }));
  const dialog = within(await screen.findByRole('dialog'));
  const save = dialog.getByRole('button', { name: 'Save values' });
  expect(save.getAttribute('aria-disabled')).toBe('true');
  const pick = (name: string) =>
    user.upload(
      dialog.getByLabelText('CSV or Excel file', { selector: 'input' }),
      new File([`SN,${SSID}\n`], name, { type: 'text/csv' }),
    );
  await pick('former.csv');
  const release = hold(calls.importSettingsFile);
  await user.click(dialog.getByRole('button', { name: 'Check' }));
  await pick('values.csv');
  release();
  await loaded();
  // The other file was not checked.
  expect(dialog.queryByRole('status')).toBeNull();
  expect(save.getAttribute('aria-disabled')).toBe('true');
  await user.click(dialog.getByRole('button', { name: 'Check' }));
  const status = await dialog.findByRole('status');
  expect(status.textContent).toContain('398 vehicles get other values. 1 row is wrong and is left out.');
  expect(status.textContent).toContain('Row 3: there is no device HL-2.');
  expect(status.textContent).toContain('since {{route}} has no value');
  expect(dialog.getByText(/Vehicle, State/u)).toBeTruthy();
  // Read in another encoding: checked again before it can be saved.
  await user.selectOptions(dialog.getByLabelText(/encoding/iu), 'windows-1250');
  await loaded();
  await user.click(save);
  await expect.poll(() => requests(calls.importSettingsFile)).toHaveLength(4);
  expect(requests(calls.importSettingsFile).map(({ query }) => query)).toEqual([
    { dryRun: 'true' },
    { dryRun: 'true' },
    { dryRun: 'true', encoding: 'windows-1250' },
    { encoding: 'windows-1250' },
  ]);
});

test('SHR-06-partial TPL-03 an earlier version fills the form once what was typed may go, and is reviewed before it is saved with its own secrets', async () => {
  const { user, requests, respond } = await startForm();
  const version = { version: 2, changed: '2026-11-20T08:00:00Z', by: 'ana@lakeshore.example' };
  respond(calls.listVersions, {
    result: [
      { ...version, version: 3, values: level.values },
      {
        ...version,
        values: [
          { path: SSID, value: 'Older' },
          { path: PASSPHRASE, value: null },
        ],
      },
    ],
  });
  respond(calls.saveSettings, { result: { ...level, version: 4 } });
  await user.type(nameOf(), 'en');
  await user.click(screen.getByRole('button', { name: 'Earlier versions' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText(/Version 2/u)).toBeTruthy();
  expect(dialog.queryByText(/Version 3/u)).toBeNull();
  const use = async (name: 'Yes' | 'No') => {
    await user.click(dialog.getByRole('button', { name: 'Use version 2' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name }));
  };
  await use('No');
  expect(nameOf().value).toBe('Olden');
  expect(screen.queryByRole('dialog')).not.toBeNull();
  await use('Yes');
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  expect(nameOf().value).toBe('Older');
  await user.click(screen.getByRole('button', { name: 'Review changes' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Save only' }));
  await expect
    .poll(() => requests(calls.saveSettings)[0]?.body)
    .toMatchObject({
      secretsOf: 2,
      values: [{ value: 'Older' }, { value: null }],
    });
});

test('TPL-01 a value that no schema file has any more stays when the form is saved, and a forwarded port that is taken says so', async () => {
  const tools = startConsole();
  const vendor = { path: 'X_ACME_Gps.Interval', value: '30' };
  tools.respond(calls.readSettings, { result: { ...level, values: [...level.values, vendor] } });
  const path = 'NAT.PortMapping[name=camera].ExternalPort';
  tools.respond(calls.previewSettings, {
    result: { ...difference, problems: [{ path, kind: 'invalid', text: '8443', devices: 12, serials: ['HL-1'] }] },
  });
  tools.respond(calls.saveSettings, { result: { ...level, version: 4 } });
  tools.respond(settingSchemas.listSchemaFiles, { result: [] });
  const { user, requests } = tools;
  await tools.open('/groups/settings?group=north');
  await screen.findByRole('heading', { name: 'Router settings of North depot' });
  await user.clear(nameOf());
  await user.type(nameOf(), 'New');
  await user.click(screen.getByRole('button', { name: 'Review changes' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText(/Another forwarding has port 8443 too. Neither is sent to 12 vehicles:/u)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Save only' }));
  await expect.poll(() => requests(calls.saveSettings)).toHaveLength(1);
  expect(requests(calls.saveSettings)[0]?.body).toMatchObject({
    values: [{ path: SSID, value: 'New' }, { path: PASSPHRASE, value: null }, vendor],
  });
});

test('TPL-01 a stored secret stays one in the form when a schema file has it as a text', async () => {
  const { open, respond } = startConsole();
  const path = 'X_ACME_Vpn.Key';
  const file: settingSchemas.SchemaFile = {
    name: 'Acme A10',
    models: ['A10*'],
    settings: [{ path, label: { en: 'Key of the tunnel' }, type: 'text' }],
  };
  respond(calls.readSettings, { result: { ...level, values: [{ path, value: null }] } });
  respond(settingSchemas.listSchemaFiles, { result: [file] });
  await open('/groups/settings?group=north');
  expect((await screen.findByLabelText<HTMLInputElement>('Key of the tunnel')).placeholder).toBe('Stored');
});

test('TPL-02 what another user saved meanwhile is shown, and what was typed is saved on top of it', async () => {
  const { user, requests, respond, fail } = await startForm();
  await user.type(screen.getByLabelText('Second time server'), 'b.example');
  fail(calls.saveSettings, 'conflict.stale');
  respond(calls.readSettings, {
    result: { ...level, version: 4, by: 'kim@lakeshore.example', values: [{ path: SSID, value: 'Other' }, level.values[1]!] },
  });
  await user.click(screen.getByRole('button', { name: 'Review changes' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Save only' }));
  await user.click(await screen.findByRole('button', { name: 'OK' }));
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Cancel' }));
  expect((await screen.findByText(/kim@lakeshore.example changed these settings meanwhile/u)).textContent).toContain(
    'review it again',
  );
  expect(nameOf().value).toBe('Other');
  expect(screen.getByLabelText<HTMLInputElement>('Second time server').value).toBe('b.example');
  expect(screen.getByText(/1 value changed/u)).toBeTruthy();
  respond(calls.saveSettings, { result: { ...level, version: 5 } });
  await user.click(screen.getByRole('button', { name: 'Review changes' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Save only' }));
  await expect.poll(() => requests(calls.saveSettings)).toHaveLength(2);
  expect(requests(calls.saveSettings)[1]?.body).toMatchObject({
    values: [
      { path: SSID, value: 'Other' },
      { path: PASSPHRASE, value: null },
      { path: 'Time.NTPServer2', value: 'b.example' },
    ],
  });
});
