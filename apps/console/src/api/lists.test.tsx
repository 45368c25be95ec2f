import {
  accounts,
  alerts,
  colleagues,
  configs,
  coverage,
  devices,
  esims,
  firmware,
  groups,
  inventory,
  logs,
  type Operation,
  organizations,
  outages,
  recordings,
  routerSettings,
} from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { button, example, startConsole } from '../testing/console.tsx';

// The common behaviour of all lists: refreshing, deleting, highlighting, files.

describe('SHR-03 refreshing', () => {
  const lists: readonly { path: string; call: Operation; role?: 'main'; isPicked?: true }[] = [
    { path: '/devices/list', call: devices.listDevices, isPicked: true },
    { path: '/groups/list', call: groups.listGroups, isPicked: true },
    { path: '/users', call: accounts.listAccounts, isPicked: true },
    { path: '/groups/config', call: configs.listConfigs, isPicked: true },
    { path: '/devices/service', call: devices.listDevices },
    { path: '/devices/esimsList', call: esims.listProfiles },
    { path: '/groups/firmwares', call: firmware.listFirmware },
    { path: '/logs', call: logs.listLogs },
    { path: '/organization', call: organizations.listOrganizations, role: 'main' },
    { path: '/devices/orgList', call: devices.listDevices, role: 'main' },
    { path: '/inventory', call: inventory.listRouters, role: 'main' },
    { path: '/colleagues', call: colleagues.listColleagues, role: 'main' },
  ];

  test.each(lists)(
    'SHR-03 $path is fetched every 60 s, and stands still while rows are picked to delete',
    async ({ path, call, role, isPicked }) => {
      const { open, requests, advance, user } = startConsole({ role: role ?? 'admin', timers: 'fake' });
      // The first steps of an installation ask for one organization, once, whenever they are loaded.
      const listed = () => requests(call).filter(({ query }) => (query as { limit?: number }).limit !== 1);
      await open(path);
      const before = listed().length;
      await advance(40_000);
      expect(listed()).toHaveLength(before);
      await advance(30_000);
      expect(listed().length).toBeGreaterThan(before);
      if (isPicked === undefined) return;
      await user.click(button('Delete'));
      expect(screen.getByText(/ · paused/u)).toBeTruthy();
      const paused = listed().length;
      await advance(180_000);
      expect(screen.getByText(/Updated 3 min ago/u)).toBeTruthy();
      expect(listed()).toHaveLength(paused);
      await user.click(button('Cancel'));
      await advance(10);
      expect(listed().length).toBeGreaterThan(paused);
    },
  );

  test('SHR-03-partial a list says that changes do not arrive by themselves', async () => {
    const { open, lose, restore } = startConsole();
    await open('/devices/list');
    expect(screen.getByText(/ · live/u)).toBeTruthy();
    lose();
    expect(await screen.findByText(/ · reconnecting/u)).toBeTruthy();
    restore();
    expect(await screen.findByText(/ · live/u)).toBeTruthy();
  });
});

describe('SHR-04 what was just changed', () => {
  /** Name, ids and seconds of the cookies that mark rows. */
  function watchMarks(): string[][] {
    const marks: string[][] = [];
    let owner: object = document;
    while (!Object.hasOwn(owner, 'cookie')) owner = Object.getPrototypeOf(owner) as object;
    const { set } = Object.getOwnPropertyDescriptor(owner, 'cookie')!;
    vi.spyOn(owner as Document, 'cookie', 'set').mockImplementation((text) => {
      const [, name, value, seconds] = /^(highline\w)=([^;]*).*Max-Age=(\d+)/u.exec(text) ?? [];
      if (value !== undefined) marks.push([name!, value.replaceAll(/%3A\d+/gu, ''), seconds!]);
      set!.call(document, text);
    });
    return marks;
  }

  const saved = [
    {
      form: '/devices/setting?device=mine&tab=settings',
      field: 'Notes',
      mark: 'highlineD',
      list: '/devices/list',
      call: devices.listDevices,
      row: 'device',
    },
    {
      form: '/groups/detail?group=mine',
      field: 'Description',
      mark: 'highlineG',
      list: '/groups/list',
      call: groups.listGroups,
      row: 'group',
    },
    {
      form: '/groups/configSetting?config=mine',
      field: 'Description',
      mark: 'highlineP',
      list: '/groups/config',
      call: configs.listConfigs,
      row: 'pk',
    },
    {
      form: '/devices/esimsEdit?profile=mine',
      field: 'APN 2',
      mark: 'highlineP',
      list: '/devices/esimsList',
      call: esims.listProfiles,
      row: 'pk',
    },
  ] as const;

  test.each(saved)(
    'SHR-04 $form: its row is marked for 60 s on its page of the list',
    async ({ form, field, mark, list, call, row }) => {
      const { open, visit, respond, sendList, fill, user, address, advance, rows } = startConsole({ timers: 'fake' });
      const marks = watchMarks();
      const { result } = example(groups.getGroup);
      respond(groups.getGroup, { result: { ...result, group: 'mine', id: 'mine' } });
      respond(groups.saveWholeGroup, {
        ...example(groups.saveWholeGroup),
        result: { ...example(groups.saveWholeGroup).result, group: 'mine' },
      });
      respond(esims.getProfile, { result: { ...example(esims.getProfile).result, pk: 'mine' } });
      respond(devices.getDevice, { result: { ...example(devices.getDevice).result, device: 'mine', agent: null } });
      respond(configs.getConfig, { result: { ...example(configs.getConfig).result, pk: 'mine' } });
      const others = Array.from({ length: 12 }, (_, index) => ({ [row]: `other-${index}` }));
      const mine = { [row]: 'mine' };
      sendList(esims.listProfiles, [{ pk: 'mine' }]);
      await open(form);
      await fill(screen.getByRole('textbox', { name: field }), 'marked');
      sendList(call as typeof configs.listConfigs, [...others, mine]);
      await user.click(screen.getAllByRole('button', { name: 'Save' })[0]!);
      await advance(100);
      const question = screen.queryByRole('alertdialog');
      if (question !== null) await user.click(within(question).getAllByRole('button').at(-1)!);
      await advance(100);
      expect(screen.getByText(/Edit success|Save Success/u)).toBeTruthy();
      expect(marks.at(-1)).toEqual([mark, 'mine', '60']);
      // Some forms open their list by themselves.
      await visit('/users');
      await visit(list);
      await advance(100);
      await expect.poll(address).toMatch(/[?&]page=/u);
      const marked = () => rows().filter(({ dataset }) => dataset['highlighted'] !== undefined);
      expect(marked()).toHaveLength(1);
      document.cookie = `${mark}=; Path=/; Max-Age=0`;
      await advance(1_100);
      expect(marked()).toEqual([]);
    },
  );

  test('SHR-04-partial a row that is changed again is not shown as it was the time before', async () => {
    const { open, visit, sendList, advance, rows } = startConsole({ timers: 'fake' });
    document.cookie = 'highlineP=mine:9999999999; Path=/';
    sendList(esims.listProfiles, [{ pk: 'mine', status: 'Assigning...' }]);
    await open('/devices/esimsList');
    expect(rows()[0]?.textContent).toContain('Assigning...');
    await visit('/users');
    await advance(10_000);
    sendList(esims.listProfiles, [{ pk: 'mine', status: 'Deleting...' }]);
    await visit('/devices/esimsList');
    await advance(100);
    expect(rows()[0]?.textContent).toContain('Deleting...');
    expect(rows()[0]?.dataset['highlighted']).toBeDefined();
  });

  test('SHR-04-partial users are marked for 5 s', async () => {
    const { open, respond, sendList, fill, user, address } = startConsole();
    const marks = watchMarks();
    respond(accounts.createAccount, { result: { ...example(accounts.createAccount).result, id: 'mia' } });
    sendList(accounts.listAccounts, [{ id: 'mia' }]);
    await open('/users/add');
    await fill(screen.getByRole('textbox', { name: 'Username' }), 'Mia');
    await fill(screen.getByRole('textbox', { name: 'Email' }), 'mia@highline.example');
    await user.click(button('Add'));
    await expect.poll(address).toMatch(/^\/users(?:\?|$)/u);
    expect(marks).toEqual([['highlineU', 'mia', '5']]);
  });

  test('SHR-04-partial an organization is marked for 60 s after a save, and for 5 s after it got a contact', async () => {
    const { open, visit, sendList, fill, user, address } = startConsole({ role: 'main' });
    const marks = watchMarks();
    sendList(organizations.listOrganizations, [{ id: 'one' }]);
    await open('/organization/setting?org=one');
    await fill(await screen.findByRole('textbox', { name: 'Phone' }), '02 555 0101');
    await user.click(button('Save'));
    await screen.findByText('Edit success');
    expect(marks.at(-1)).toEqual(['highlineO', 'one', '60']);
    await visit('/organization/addUser?org=one');
    await fill(screen.getByRole('textbox', { name: 'Username' }), 'Third Person');
    await fill(screen.getByRole('textbox', { name: 'Email' }), 'third@highline.example');
    await user.click(button('Add'));
    await expect.poll(address).toMatch(/^\/organization\/setting/u);
    expect(marks.at(-1)).toEqual(['highlineO', 'one', '5']);
  });
});

describe('SHR-07 deleting', () => {
  test.each([
    {
      path: '/devices/list',
      call: devices.listDevices,
      remove: devices.deleteDevices,
      serials: [
        { device: 'a', serial_number: 'ROW-1' },
        { device: 'b', serial_number: 'ROW-2' },
      ],
    },
    {
      path: '/devices/orgList',
      role: 'main',
      call: devices.listDevices,
      remove: devices.deleteDevices,
      serials: [
        { device: 'a', serial_number: 'ROW-1' },
        { device: 'b', serial_number: 'ROW-2' },
      ],
    },
    {
      path: '/inventory',
      role: 'main',
      call: inventory.listRouters,
      remove: inventory.deleteRouters,
      serials: [
        { id: 'a', serial_number: 'ROW-1', org: null, device: null },
        { id: 'b', serial_number: 'ROW-2', org: null, device: null },
      ],
    },
  ] as const)(
    'SHR-07 the mode of $path has boxes, counts, is off for nothing, forgets on Cancel, reloads, and warns',
    async ({
      path,
      role,
      call,
      remove,
      serials,
    }: {
      path: string;
      role?: 'main';
      call: Operation;
      remove: Operation;
      serials: readonly object[];
    }) => {
      const { open, sendList, requests, user, rows } = startConsole({ role: role ?? 'admin' });
      sendList(call as typeof devices.listDevices, serials);
      await open(path);
      const enter = () => user.click(button(/^(?:Transfer \/ )?Delete$/u));
      const counted = () => button(/^Delete\(/u);
      await enter();
      expect(counted().textContent).toBe('Delete(0)');
      expect(counted().getAttribute('aria-disabled')).toBe('true');
      await user.click(counted());
      expect(screen.queryByRole('alertdialog')).toBeNull();
      expect(rows().every((row) => within(row).queryByRole('checkbox') !== null)).toBe(true);
      await user.click(within(screen.getByRole('row', { name: /ROW-2/u })).getByRole('checkbox'));
      expect(counted().textContent).toBe('Delete(1)');
      await user.click(counted());
      const question = await screen.findByRole('alertdialog');
      expect(question.textContent).toMatch(/Are you sure.*ROW-2.*This action is permanent and cannot be undone\./u);
      await user.click(within(question).getByRole('button', { name: 'Cancel' }));
      const before = requests(call).length;
      await user.click(button('Cancel'));
      await expect.poll(() => requests(call).length).toBeGreaterThan(before);
      expect(screen.queryByRole('button', { name: /^Delete\(/u })).toBeNull();
      await enter();
      expect(counted().textContent).toBe('Delete(0)');
      expect(screen.queryByRole('checkbox', { checked: true })).toBeNull();
      expect(requests(remove)).toEqual([]);
    },
  );
});

test('keys act on the row that has the focus: arrows move, Enter opens it and Back returns, / leads to the search', async () => {
  const { open, sendList, user, address, loaded } = startConsole();
  sendList(
    devices.listDevices,
    [1, 2, 3].map((number) => ({ device: `d${number}`, serial_number: `HL5-${number}` })),
  );
  await open('/devices/list');
  const row = (serial: string) => screen.getByRole('row', { name: new RegExp(serial, 'u') });
  row('HL5-2').focus();
  await user.keyboard('{ArrowDown}');
  await expect.poll(() => document.activeElement).toBe(row('HL5-3'));
  await user.keyboard('{ArrowUp}{Enter}');
  await expect.poll(address).toBe('/devices/setting?device=d2');
  history.back();
  await expect.poll(address).toBe('/devices/list');
  await loaded();
  await user.keyboard('/');
  await expect.poll(() => document.activeElement).toBe(screen.getByRole('searchbox'));
});

describe('SHR-08 files', () => {
  const files: readonly { path: string; call: Operation; file: string; columns?: string; role?: 'main' }[] = [
    {
      path: '/groups/list',
      call: groups.exportGroups,
      file: 'Groups_export',
      columns: 'number,name,firmware,config,schedule,postpone,status,description',
    },
    {
      path: '/devices/list',
      call: devices.exportDevices,
      file: 'Devices_export',
      columns: 'serial,presence,service,vehicle,model,group,carrier,uptime,firmware,config,note',
    },
    { path: '/devices/esimsList', call: esims.exportProfiles, file: 'eSIMs_export' },
    { path: '/devices/service', call: devices.exportDevices, file: 'Service_export' },
    { path: '/users', call: accounts.exportAccounts, file: 'Users_export' },
    {
      path: '/groups/settings/devices',
      call: routerSettings.exportSettings,
      file: 'Settings_export',
      columns: 'name,serial,state,differs,values,since,sent,exceptions,group,checked',
    },
    {
      path: '/alerts',
      call: alerts.exportAlerts,
      file: 'Alerts_export',
      columns:
        'severity,vehicle,serial,rule,value,state,resolution,acknowledged,acknowledgedBy,note,resolved,carrier,group,place,duration,since,fired',
    },
    { path: '/recordings', call: recordings.exportRecordings, file: 'terminal_recordings' },
    { path: '/inventory', call: inventory.exportRouters, file: 'Inventory_export', role: 'main' },
    { path: '/logs', call: logs.exportLogs, file: 'Logs_export' },
    { path: '/organization', call: organizations.exportOrganizations, file: 'Organizations_export', role: 'main' },
  ];

  test.each(files)(
    'SHR-08 $path is saved as $file (.csv), with the columns that it shows and its times in the zone of the page',
    async ({ path, call, file, columns, role }) => {
      const { open, respond, requests, user, downloads } = startConsole({ role: role ?? 'admin' });
      respond(call as typeof groups.exportGroups, 'content');
      await open(path);
      await user.click(button('Download(.csv)'));
      await expect.poll(() => downloads).toHaveLength(1);
      expect([downloads[0]?.name, await downloads[0]?.content.text()]).toEqual([`${file}.csv`, 'content']);
      const { language, ...query } = requests(call)[0]!.query as { language: string; columns?: string; zone?: string };
      expect(language).toBe('en-US');
      if ('zone' in (call as typeof groups.exportGroups).query.shape) expect(query.zone).toBe('America/Chicago');
      if (columns !== undefined) expect(query.columns).toBe(columns);
    },
  );

  test.each([
    { path: '/groups/list?sort=name&rollout=failed', call: groups.exportGroups },
    { path: '/devices/esimsList?sort=-name&status=completed', call: esims.exportProfiles },
    { path: '/users?sort=email&role=admin', call: accounts.exportAccounts },
    { path: '/alerts?sort=fired&state=firing', call: alerts.exportAlerts },
    { path: '/alerts?sort=fired', call: alerts.exportAlerts },
    { path: '/logs?sort=time&kind=group', call: logs.exportLogs },
    { path: '/inventory?sort=serial&claimed=claimed', call: inventory.exportRouters, role: 'main' },
    { path: '/organization?sort=name&rollout=failed', call: organizations.exportOrganizations, role: 'main' },
  ] as const)(
    'SHR-08-partial BLK-01-partial $path: the file of selected rows also has those that a filter hides by now',
    async (list) => {
      const { open, respond, requests, user } = startConsole({ role: 'role' in list ? list.role : 'admin' });
      respond(list.call as typeof groups.exportGroups, 'content');
      await open(`${list.path}&search=x`);
      await user.click((await screen.findAllByRole('checkbox', { name: /^Select (?!all)/u }))[0]!);
      await user.click(button('Export'));
      await expect.poll(() => requests(list.call)).toHaveLength(1);
      const query = Object.entries(requests(list.call)[0]!.query).filter(([, value]) => value !== undefined);
      const others = new Set(['only', 'language', 'columns', 'zone', 'layout']);
      expect(query.filter(([name]) => !others.has(name))).toEqual([
        ['sort', new URLSearchParams(list.path.split('?')[1]).get('sort')],
      ]);
      expect(query.map(([name]) => name)).toContain('only');
    },
  );

  test('SHR-08-partial in the language of the console, and the sample of eSIMs under the name of the organization', async () => {
    const { open, respond, requests, user, downloads } = startConsole({ language: 'zh-TW' });
    respond(esims.exportProfiles, 'content');
    await open('/devices/esimsList');
    await user.click(button('下載（.csv）'));
    await expect.poll(() => downloads).toHaveLength(1);
    expect(requests(esims.exportProfiles)[0]?.query.language).toBe('zh-TW');
    await user.click(button('下載範例 CSV'));
    await expect.poll(() => downloads).toHaveLength(2);
    expect(downloads[1]?.name).toBe('eSIMs_export_example_Lakeshore Transit.csv');
    expect(requests(esims.exportProfiles)[1]?.query.layout).toBe('example');
  });
});

test.each([
  { path: '/outages', call: outages.listOutages },
  { path: '/outages?tab=vehicles', call: outages.sumOutages },
  { path: '/coverage?tab=zones', call: coverage.deadZones },
  { path: '/coverage?tab=vehicles', call: coverage.vehicles },
])(
  'SHR-02-partial RPM-04-partial POS-06-partial $path: a choice of a filter keeps the focus, and the filters open on a phone',
  async ({ path, call }) => {
    const { open, user, loaded, requests } = startConsole();
    await open(path);
    const filters = button('Filters');
    await user.click(filters);
    const trigger = button('Filter by Period');
    trigger.focus();
    await user.keyboard('{Enter}');
    const before = requests(call).length;
    await user.click(await screen.findByRole('option', { name: 'Last 7 days' }));
    await expect.poll(() => requests(call).length).toBeGreaterThan(before);
    await loaded();
    expect([trigger.isConnected, document.activeElement === trigger]).toEqual([true, true]);
    expect(filters.getAttribute('aria-expanded')).toBe('true');
  },
);
