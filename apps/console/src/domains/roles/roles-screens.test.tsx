// @vitest-environment happy-dom
import {
  accounts,
  devices,
  firmware,
  groups,
  inventory,
  organizations,
  outages,
  roles,
  rollouts,
  signInPolicy,
  usage,
} from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { example, startConsole } from '../../testing/console.tsx';

const dispatcher: roles.OwnRole = {
  ...example(roles.listRoles).result[0]!,
  id: 'dispatcher',
  org: 'lakeshore',
  name: 'Dispatcher',
  rights: ['alerts.write', 'devices.read'],
  limitedTo: null,
  people: 1,
};
const operation = { id: 'devices.list', method: 'GET', path: '/data_manager/v1/dm/devices', summary: 'Devices.' };
const group = (area: string, access: 'read' | 'write') => ({ area, access, operations: [operation] });

function start() {
  const console = startConsole();
  console.respond(roles.listRoles, { result: [dispatcher], total: 1 });
  console.respond(roles.listRights, {
    result: [group('alerts', 'read'), group('alerts', 'write'), group('devices', 'read')],
    withheld: [],
  });
  console.respond(roles.showRole, {
    result: { ...dispatcher, holders: [{ id: 'ben', name: 'Ben Ortiz', email: 'ben@lakeshore.example' }] },
  });
  return console;
}

describe('IAM-03 the roles of an organization', () => {
  test('a role is made of what is read and changed, as text', async () => {
    const { open, respond, requests, user } = start();
    respond(roles.createRole, { result: { ...dispatcher, id: 'new', name: 'Night desk', people: 0 } });
    await open('/roles');
    expect(await screen.findByText('1 person')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Make a role' }));
    const dialog = await screen.findByRole('dialog', { name: 'Make a role' });
    await user.type(within(dialog).getByLabelText(/^Name/u), 'Night desk');
    await user.click(await within(dialog).findByRole('checkbox', { name: 'Change: Alerts' }));
    await user.click(within(dialog).getByRole('button', { name: 'Make' }));
    expect(await screen.findByText('The role was made. Give it to people on their pages.')).toBeTruthy();
    expect(requests(roles.createRole)).toMatchObject([
      { body: { name: 'Night desk', rights: ['alerts.write', 'devices.read'], limitedTo: null } },
    ]);
  });

  test('a role shows who has it, and is deleted with another one for them', async () => {
    const { open, respond, requests, user } = start();
    respond(roles.deleteRole, { result: { deleted: 1 } });
    await open('/roles');
    await user.click(await screen.findByRole('button', { name: 'Dispatcher' }));
    const dialog = await screen.findByRole('dialog', { name: 'Role Dispatcher' });
    expect(await within(dialog).findByRole('link', { name: 'Ben Ortiz' })).toBeTruthy();
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    await user.click(screen.getByRole('button', { name: 'Delete the role Dispatcher' }));
    const deletion = await screen.findByRole('dialog', { name: 'Delete the role Dispatcher?' });
    expect(within(deletion).getByText('1 person has it and needs another role.')).toBeTruthy();
    await user.click(within(deletion).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('The role Dispatcher was deleted.')).toBeTruthy();
    expect(requests(roles.deleteRole)).toMatchObject([{ params: { role: 'dispatcher' }, body: { instead: 'user' } }]);
  });

  test('a user gets one on the own page, where it says what it may', async () => {
    const { open, respond, requests, user } = start();
    const { result } = example(accounts.getAccount);
    respond(accounts.getAccount, { result: { ...result, id: 'rider', role: 'vendor', limitedTo: null, ownRole: null } });
    respond(roles.giveRole, { result: { ownRole: { id: 'dispatcher', name: 'Dispatcher', rights: dispatcher.rights } } });
    await open('/users/detail?user=rider');
    await screen.findByRole('option', { name: 'Dispatcher' });
    await user.selectOptions(screen.getByLabelText('Role'), 'Dispatcher');
    expect(screen.getByText('Reads and changes').nextElementSibling?.textContent).toBe('Alerts');
    expect(screen.getByText('Reads').nextElementSibling?.textContent).toBe('Devices');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('Edit success');
    expect(requests(roles.giveRole)).toMatchObject([{ params: { id: 'rider' }, body: { role: 'dispatcher' } }]);
    expect(requests(accounts.changeRole)).toEqual([]);
  });
});

describe('IAM-03 a role of an organization with an admin, for its main account', () => {
  const shell = {
    ...dispatcher,
    id: 'shell',
    name: 'Shell',
    rights: ['commands.write', 'devices.read', 'remoteAccess.write'],
    people: 0,
  };

  function startAsMain() {
    const console = startConsole({ role: 'main' });
    console.respond(roles.listRoles, { result: [dispatcher, shell], total: 2 });
    console.respond(roles.listRights, { result: [group('devices', 'read')], withheld: ['commands.write', 'remoteAccess.write'] });
    console.respond(roles.showRole, { result: { ...dispatcher, holders: [] } });
    return console;
  }

  test('is made of the rights that it may give, and the page says why of no others', async () => {
    const { open, user } = startAsMain();
    await open('/roles?org=lakeshore');
    await user.click(await screen.findByRole('button', { name: 'Make a role' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Make a role' }));
    expect(await dialog.findByText(/^This organization has an admin\. Rights that only its admins have/u)).toBeTruthy();
    expect(dialog.getAllByRole('checkbox').map((box) => box.getAttribute('aria-label'))).toEqual(['Read: Devices']);
  });

  test('is changed by the admins alone if it has another right', async () => {
    const { open, requests, user } = startAsMain();
    await open('/roles');
    await user.click(await screen.findByRole('button', { name: 'Shell' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Role Shell' }));
    const why =
      /only admins of the organization give: Change: Custom commands, Change: Remote access\. Only they can change it\./iu;
    expect((await dialog.findAllByText(why)).length).toBeGreaterThan(0);
    await user.type(dialog.getByLabelText(/^Name/u), ' 2');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(requests(roles.saveRole)).toEqual([]);
  });

  test('is no role that people get instead of a deleted one', async () => {
    const { open, user } = startAsMain();
    await open('/roles');
    await user.click(await screen.findByRole('button', { name: 'Delete the role Dispatcher' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete the role Dispatcher?' }));
    expect(await dialog.findByText('Roles with rights that only admins of the organization give are not listed.')).toBeTruthy();
    expect(dialog.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['User']);
  });
});

describe('IAM-03 who has a role of the organization', () => {
  const startAs = (rights: string[]) =>
    startConsole({ role: 'user', session: { ownRole: { id: 'dispatcher', name: 'Dispatcher', rights } } });

  test('has the entries of its rights in the menu, and reads which right a page needs', async () => {
    const { open, respond } = startAs(['devices.read', 'alerts.write']);
    respond(signInPolicy.listAdmins, { result: { list: [{ name: 'Ben Ortiz', email: 'ben@lakeshore.example' }] } });
    await open('/geofences');
    expect(await screen.findByText('Your role Dispatcher does not have the right “Read: Geofences”.')).toBeTruthy();
    expect(await screen.findByText(/Ben Ortiz/u)).toBeTruthy();
    const menu = screen.getByRole('navigation', { name: 'Menu' });
    expect(within(menu).getByRole('link', { name: 'Devices' })).toBeTruthy();
    for (const name of ['Geofences', 'Logs', 'Cloud Users', 'API Keys'])
      expect(within(menu).queryByRole('link', { name })).toBeNull();
  });

  test('does not open pages of people', async () => {
    const { open, respond } = startAs(['devices.read']);
    respond(signInPolicy.listAdmins, { result: { list: [] } });
    await open('/users');
    expect(await screen.findByText('Your role is Dispatcher. It is open to admins only.')).toBeTruthy();
  });

  test('changes only what its rights change', async () => {
    const { open, visit, respond } = startAs(['groups.read']);
    const { result } = example(groups.getGroup);
    respond(groups.getGroup, { result: { ...result, group: 'north', groupName: 'North' } });
    await open('/groups/list');
    const add = await screen.findByRole('button', { name: /Add/u });
    expect(add.getAttribute('aria-disabled') ?? String(add.hasAttribute('disabled'))).toBe('true');
    await visit('/groups/detail?group=north');
    const save = await screen.findByRole('button', { name: 'Save' });
    expect(save.getAttribute('aria-disabled')).toBe('true');
    expect(screen.queryByRole('link', { name: 'Settings' })).toBeNull();
    expect(screen.queryByRole('button', { name: /^(?:Firmware|Config)/u })).toBeNull();
    expect(screen.getByRole('button', { name: /^Devices/u }).textContent).toBe('View');
    await visit('/groups/add');
    expect(await screen.findByText('Your role Dispatcher does not have the right “Change: Groups”.')).toBeTruthy();
  });

  test.each([
    [['rollouts.read'], 0],
    [['rollouts.read', 'rollouts.write'], 1],
  ])('GRP-10-partial watches and controls the rollouts of a group with %j', async (rights, count) => {
    const { open, respond, requests } = startAs(['groups.read', ...rights]);
    const { result } = example(groups.getGroup);
    respond(groups.getGroup, { result: { ...result, group: 'north', groupName: 'North' } });
    const rollout = example(rollouts.listRollouts).result[0]!;
    const states = { ...rollout.states, successful: 0 };
    const running = { ...rollout, id: 'r1', kind: 'firmware', name: '7.1.0', state: 'running', waves: null } as const;
    respond(rollouts.listRollouts, { result: [{ ...running, states, total: 2 }] });
    await open('/groups/detail?group=north');
    const panel = await screen.findByRole('region', { name: /7\.1\.0/u });
    expect(within(panel).queryAllByRole('button', { name: 'Pause' })).toHaveLength(count);
    expect(requests(groups.listControls)).toEqual([]);
  });

  test('reads the group of a device without a way to the groups, which it may not open', async () => {
    const { open, sendList, requests } = startAs(['devices.read']);
    sendList(devices.listDevices, [{ device: 'bus', group: 'north', group_name: 'North' }]);
    await open('/devices/list?group=north');
    expect(await screen.findByText(/a group$/u)).toBeTruthy();
    expect(await screen.findByText('North')).toBeTruthy();
    expect(screen.queryByRole('link', { name: 'North' })).toBeNull();
    expect(requests(groups.listGroups)).toEqual([]);
  });

  test.each([
    [['remoteAccess.read', 'remoteAccess.write'], 1],
    [['tools.read', 'tools.write'], 0],
  ])('LIV-07-partial has the terminal of a device with %j where its page is open', async (rights, count) => {
    const ownRole = { id: 'dispatcher', name: 'Dispatcher', rights: ['devices.read', ...rights] };
    const { open, respond } = startConsole({ session: { ownRole } });
    respond(devices.getDevice, { result: { ...example(devices.getDevice).result, device: 'bus' } });
    await open('/devices/setting?device=bus&tab=diagnostics');
    await screen.findByRole('region', { name: 'Router agent' });
    expect(screen.queryAllByRole('region', { name: 'Terminal' })).toHaveLength(count);
  });

  test.each([
    ['usage', '/usage?by=devices', ['Data Plans', 'Report (PDF)', 'Bus 7']],
    ['outages', '/outages?tab=each', ['Bus 7']],
  ] as const)('with %s alone reads names without links to pages that are closed to it', async (area, path, texts) => {
    const { open, sendList } = startAs([`${area}.read`]);
    sendList(usage.listUsage, [{ ...example(usage.listUsage).result[0]!, id: 'bus', device: 'bus', name: 'Bus 7' }]);
    sendList(outages.listOutages, [{ ...example(outages.listOutages).result[0]!, device: 'bus', name: 'Bus 7' }]);
    await open(path);
    expect(await screen.findByText('Bus 7')).toBeTruthy();
    for (const name of texts) expect(screen.queryByRole('link', { name })).toBeNull();
  });

  test('begins on the first page of its rights', async () => {
    const { open, address, requests } = startAs(['logs.read']);
    await open('/');
    await expect.poll(address).toMatch(/^\/logs/u);
    expect(requests(devices.statistics)).toEqual([]);
  });
});

describe('IAM-03 who has a role of the main account', () => {
  const startAs = (rights: string[]) => {
    const tools = startConsole({ role: 'main', session: { ownRole: { id: 'audit', name: 'Auditor', rights } } });
    tools.sendList(organizations.listOrganizations, [{ id: 'lake', name: 'Lakeshore' }]);
    tools.sendList(devices.listDevices, [{ device: 'd1', serial_number: 'HL5-1' }]);
    tools.sendList(inventory.listRouters, [{ id: 'r1', serial_number: 'HL5-1', org: null }]);
    tools.sendList(firmware.listFirmware, [{ pk: 'f1', version: '1.0' }]);
    return tools;
  };
  const named = (name: string) => [...screen.queryAllByRole('button', { name }), ...screen.queryAllByRole('link', { name })];
  const jobs = () => screen.queryAllByRole('link', { name: /^Jobs/u });
  const chooseFirst = async ({ user, rows }: ReturnType<typeof startConsole>) =>
    user.click(within(rows()[0]!).getByRole('checkbox'));

  test('reads devices, organizations, inventory and firmware, and changes none of them', async () => {
    const tools = startAs(['devices.read', 'organizations.read', 'inventory.read', 'firmware.read', 'jobs.read']);
    const { open, visit, requests } = tools;
    await open('/devices/orgList');
    expect(jobs()).toHaveLength(1);
    expect(named('Transfer / Delete')[0]!.getAttribute('aria-disabled')).toBe('true');
    expect(named('Add')).toEqual([]);
    await chooseFirst(tools);
    await screen.findByText('1 selected');
    for (const name of ['Subscription', 'Delete']) expect(named(name)).toEqual([]);
    await visit('/organization');
    expect(named('Delete')[0]!.getAttribute('aria-disabled')).toBe('true');
    expect(named('Add')).toEqual([]);
    await visit('/organization/add');
    expect(await screen.findByText('Your role is Auditor. It is open to admins only.')).toBeTruthy();
    await visit('/organization/setting?org=lake');
    expect((await screen.findByRole('button', { name: 'Save' })).getAttribute('aria-disabled')).toBe('true');
    expect(screen.queryByRole('region', { name: 'Admins' })).toBeNull();
    const tabs = within(screen.getByRole('navigation', { name: 'Organization' }));
    expect(tabs.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Overview', 'Devices', 'Settings']);
    await visit('/inventory');
    expect(named('Delete')[0]!.getAttribute('aria-disabled')).toBe('true');
    for (const name of ['Add router', 'Import CSV', 'Rotate secret HL5-1']) expect(named(name)).toEqual([]);
    await visit('/firmware');
    expect(named('Upload')).toEqual([]);
    expect(requests(accounts.listAccounts)).toEqual([]);
  });

  test('POS-02-partial reads shared links and jobs where its rights read them, and has no way to them otherwise', async () => {
    const tools = startAs(['positions.read', 'links.read']);
    await tools.open('/map');
    expect(await screen.findByRole('link', { name: 'Shared links' })).toBeTruthy();
    expect(jobs()).toEqual([]);
  });

  test('transfers devices with the right to change organizations, and deletes none', async () => {
    const tools = startAs(['devices.read', 'organizations.write']);
    const { open, user } = tools;
    await open('/devices/orgList');
    await user.click(named('Transfer / Delete')[0]!);
    await chooseFirst(tools);
    expect(named('Transfer(1)')[0]!.getAttribute('aria-disabled')).toBeNull();
    expect(named('Delete(1)')[0]!.getAttribute('aria-disabled')).toBe('true');
  });
});
