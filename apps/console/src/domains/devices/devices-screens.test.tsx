import { deviceAdding, devices, groups, organizations, remoteAccess, rollouts, views } from '@highline/contract';
import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { button, example, Failed, row, startConsole } from '../../testing/console.tsx';

const listed = (device: string, parts: Partial<devices.Device> = {}) => ({
  device,
  serial_number: `HL-${device}`,
  vehicle_number: '',
  ...parts,
});

const stored = (parts: object = {}) => {
  const { result } = example(devices.getDevice);
  return { result: { ...result, ...listed('a'), vehicleNumber: '', note: '', agent: null, ...parts } };
};

describe('/devices/list', () => {
  const start = (role: 'admin' | 'user' = 'admin') => {
    const started = startConsole({ role });
    started.sendList(views.listViews, []);
    started.sendList(devices.listDevices, fleet);
    started.respond(devices.getDevice, stored());
    return started;
  };
  const fleet = [
    listed('a', { subscription_status: 'In Warranty', vehicle_number: 'Bus 77', note: 'Spare SIM', group_name: 'North' }),
    listed('b', { subscription_status: 'Expiring' }),
    listed('c', { subscription_status: 'Not subscribed', started: '01/01/2026', expired: '02/01/2026' }),
    listed('d'),
  ];

  test('DEV-01 DEV-02-partial it has its columns, three rows a page, and the icon of each service status', async () => {
    const { open, user, rows, address } = start();
    await open('/devices/list');
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent?.trim())).toEqual([
      expect.anything(),
      'Device Serial#',
      'Online Status',
      'Service Status',
      'Vehicle#',
      'Device Model',
      'Group',
      'Carrier',
      'Uptime',
      'Firmware',
      'Config File',
      'Notes',
    ]);
    expect(screen.getByText('1–3 of 4')).toBeTruthy();
    for (const text of ['Bus 77', 'Spare SIM', 'North']) expect(row('HL-a').textContent).toContain(text);
    for (const [id, text, icon] of [
      ['a', 'Subscribed', 'online'],
      ['b', 'Expiring', 'expired'],
      ['c', 'Not Subscribed', 'expired'],
    ] as const)
      expect(
        within(row(`HL-${id}`))
          .getByText(text)
          .closest('.status')
          ?.querySelector('svg')?.dataset['icon'],
      ).toBe(icon);
    await user.click(button('Next page'));
    await screen.findByText('4–4 of 4');
    expect(rows()).toHaveLength(1);
    expect(address()).toBe('/devices/list?page=2');
  });

  test('DEV-02 each filter and each field of the search is what the list and its file are fetched with', async () => {
    const { open, respond, sendList, requests, user, downloads } = start();
    sendList(groups.listGroups, [{ group: 'north', groupName: 'North' }]);
    respond(devices.exportDevices, new Blob(['Serial']) as never);
    await open('/devices/list');
    const last = () => requests(devices.listDevices).at(-1)?.query;
    const pick = async (filter: RegExp, option: string, options?: readonly string[]) => {
      await user.click(screen.getAllByRole('button', { name: filter })[0]!);
      const list = screen.getByRole('listbox');
      if (options !== undefined)
        expect(
          within(list)
            .getAllByRole('option')
            .map(({ textContent }) => textContent),
        ).toEqual(options);
      await user.click(await within(list).findByRole('option', { name: option }));
    };
    await pick(/Service Status/u, 'Expiring', ['All status', 'Subscribed', 'Expiring', 'Not subscribed']);
    await expect.poll(last).toMatchObject({ service: 'expiring' });
    await pick(/Online Status/u, 'Offline', ['Online and offline', 'Online', 'Offline']);
    await expect.poll(last).toMatchObject({ service: 'expiring', presence: 'offline' });
    await pick(/Service Status/u, 'All status');
    await expect.poll(() => last()?.service).toBeUndefined();
    await pick(/Filter by Group/u, 'North');
    await expect.poll(last).toMatchObject({ group: 'north' });
    const fields = screen.getByLabelText('Search in');
    expect(
      within(fields)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['Serial #', 'Vehicle #', 'Group', 'Config file']);
    await user.type(screen.getByRole('searchbox'), 'depot.c');
    for (const [label, field] of [
      ['Vehicle #', 'vehicle'],
      ['Group', 'group'],
      ['Config file', 'config'],
      ['Serial #', 'serial'],
    ] as const) {
      await user.selectOptions(fields, label);
      await expect.poll(last).toMatchObject({ search: 'depot.c', ...(field !== 'serial' && { field }) });
    }
    await user.click(button('Download(.csv)'));
    await expect.poll(() => downloads.map(({ name }) => name)).toEqual(['Devices_export.csv']);
    expect(requests(devices.exportDevices)[0]?.query).toMatchObject({
      layout: 'devices',
      presence: 'offline',
      group: 'north',
      search: 'depot.c',
      columns: 'serial,presence,service,vehicle,model,group,carrier,uptime,firmware,config,note',
    });
  });

  test('SAY-10-partial without a chosen field vehicle, serial number, ICCID, MTN and IMEI are searched; a field without matches offers another one', async () => {
    const { open, respond, requests, user, address } = startConsole();
    respond(devices.listDevices, ({ query }) => {
      const { field } = query as { field?: string };
      const all = example(devices.listDevices);
      const rows = field === 'any' ? all.result.slice(0, 1) : [];
      return { ...all, result: rows, total: rows.length };
    });
    await open('/devices/list');
    const fields = screen.getByLabelText<HTMLSelectElement>('Search in');
    expect(fields.selectedOptions[0]?.textContent).toBe('Vehicle, serial, ICCID, MTN or IMEI');
    await user.type(screen.getByRole('searchbox'), '8914800');
    await expect.poll(() => requests(devices.listDevices).at(-1)?.query).toMatchObject({ search: '8914800', field: 'any' });
    await user.selectOptions(fields, 'Serial #');
    await user.click(await screen.findByRole('button', { name: '1 match in Vehicle, serial, ICCID, MTN or IMEI: show' }));
    await expect.poll(address).toMatch(/field=any/u);
    await user.selectOptions(fields, 'Group');
    await user.click(button('Clear'));
    expect(fields.value).toBe('any');
    expect(address()).toBe('/devices/list');
  });

  test('DEV-02-partial the filter by a deleted group is named so, and another group is found by its name', async () => {
    const { open, respond, sendList, fail, requests, user } = startConsole();
    sendList(devices.listDevices, []);
    fail(groups.getGroup, 'not_found');
    respond(groups.listGroups, ({ query }) => {
      const all = example(groups.listGroups);
      const { search } = query as { search?: string };
      const found = { ...all.result[0]!, group: 'north', groupName: search === 'Nor' ? 'North' : 'All of them' };
      const result = search === 'X' ? [] : [found];
      return { ...all, result, total: result.length };
    });
    await open('/devices/list?group=gone');
    expect(await screen.findByText('Group: a deleted group')).toBeTruthy();
    await user.click(button('Filter by Group'));
    await user.type(screen.getByRole('combobox', { name: 'Group' }), 'X');
    expect(await screen.findByText('No matched results.')).toBeTruthy();
    await user.clear(screen.getByRole('combobox', { name: 'Group' }));
    await user.type(screen.getByRole('combobox', { name: 'Group' }), 'Nor');
    await expect.poll(() => requests(groups.listGroups).at(-1)?.query).toMatchObject({ search: 'Nor', ignoreCase: 'true' });
    await user.click(await screen.findByRole('option', { name: 'North' }));
    await expect.poll(() => requests(devices.listDevices).at(-1)?.query).toMatchObject({ group: 'north' });
  });

  test('DPG-03-partial the health is a column to be chosen, which sorts, filters, and is in the file', async () => {
    const { open, respond, requests, user } = start();
    respond(devices.exportDevices, new Blob(['Health']) as never);
    await open('/devices/list?health=fair');
    expect(requests(devices.listDevices).at(-1)?.query.health).toBe('fair');
    await user.click(button('Columns'));
    await user.click(screen.getByRole('checkbox', { name: 'Health' }));
    await user.click(within(screen.getByRole('columnheader', { name: /^Health/u })).getByRole('button', { name: /Health/u }));
    await expect.poll(() => requests(devices.listDevices).at(-1)?.query.sort).toBe('health');
    await user.click(button('Download(.csv)'));
    await expect.poll(() => requests(devices.exportDevices)[0]?.query).toMatchObject({ health: 'fair', sort: 'health' });
    expect(requests(devices.exportDevices)[0]?.query.columns).toContain(',health');
  });

  test('DEV-03 a click on a row opens the device for an admin, and the way back keeps the search', async () => {
    const { open, user, address } = start();
    await open('/devices/list?search=HL');
    await user.click(within(row('HL-a')).getByText('Spare SIM'));
    await screen.findByRole('heading', { level: 1, name: 'HL-a' });
    expect(address()).toBe('/devices/setting?device=a');
    const header = document.querySelector<HTMLElement>('.page-header')!;
    await user.click(within(header).getByRole('link', { name: 'Devices' }));
    await screen.findByText('HL-a');
    expect(address()).toBe('/devices/list?search=HL');
  });

  test('DEV-03-partial a user has a link instead, the vehicle or else the serial number, and deletes nothing', async () => {
    const { open, user, address } = start('user');
    await open('/devices/list');
    expect(button('Delete').getAttribute('aria-disabled')).toBe('true');
    expect(screen.queryByRole('link', { name: 'Add' })).toBeNull();
    await user.click(within(row('HL-a')).getByText('Spare SIM'));
    expect(address()).toBe('/devices/list');
    expect(screen.getByRole('link', { name: 'View HL-b' }).textContent).toBe('HL-b');
    screen.getByRole('link', { name: 'View Bus 77' }).focus();
    await user.keyboard('{Enter}');
    await expect.poll(address).toBe('/devices/setting?device=a');
  });

  test('IAM-04-partial who is limited reads why no device is deleted, and adds none', async () => {
    const limitedTo = { groups: [{ id: 'north', name: 'North' }], tags: [] };
    const { open, sendList, user } = startConsole({ session: { limitedTo } });
    sendList(devices.listDevices, [{ vehicleNumber: 'Bus 1' }]);
    await open('/devices/list');
    const remove = screen.getByRole('button', { name: 'Delete' });
    expect(remove.getAttribute('aria-disabled')).toBe('true');
    await user.hover(remove);
    expect(await screen.findByText(/^You see only some of the vehicles of your organization/u)).toBeTruthy();
    expect(screen.queryByRole('link', { name: /^Add/u })).toBeNull();
  });

  test('DEV-04 SHR-07-partial SHR-03-partial delete mode counts the chosen rows, asks with what they are, and deletes them', async () => {
    const { open, respond, sendList, requests, user } = startConsole();
    sendList(devices.listDevices, fleet.slice(0, 3));
    await open('/devices/list');
    await user.click(button('Delete'));
    const remove = () => button(/^Delete\(/u);
    expect(remove().textContent).toBe('Delete(0)');
    expect(remove().getAttribute('aria-disabled')).toBe('true');
    await user.click(within(row('HL-a')).getByRole('checkbox'));
    await user.click(button('Cancel'));
    expect(screen.queryByRole('checkbox', { checked: true })).toBeNull();
    await user.click(button('Delete'));
    for (const id of ['a', 'b']) await user.click(within(row(`HL-${id}`)).getByRole('checkbox'));
    expect(remove().textContent).toBe('Delete(2)');
    await user.click(remove());
    const dialog = screen.getByRole('alertdialog');
    for (const text of [
      'Warning',
      'Are you sure you want to delete the selected devices?',
      'This action is permanent and cannot be undone.',
      'no updates start. Routers already updating may still finish and restart.',
      'Bus 77 · HL-a',
      'HL-b',
    ])
      expect(dialog.textContent).toContain(text);
    respond(devices.deleteDevices, { result: { deleted: 2 } });
    sendList(devices.listDevices, fleet.slice(2, 3));
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Delete Success')).toBeTruthy();
    expect(requests(devices.deleteDevices)[0]?.body).toMatchObject({ devices: ['a', 'b'] });
    await expect.poll(() => screen.queryByText('HL-a')).toBeNull();
  });
});

describe('/devices/add by hand', () => {
  test('DEV-05 DEV-06-partial every error is at its field, what is sent is as it is stored, and what is typed is not lost', async () => {
    const { open, respond, sendList, requests, user, address } = startConsole();
    sendList(views.listViews, []);
    await open('/devices/list');
    await user.click(screen.getByRole('link', { name: 'Add' }));
    await user.click(await screen.findByLabelText('Add manually'));
    const serial = screen.getByLabelText(/^Serial number/u);
    const mac = screen.getByLabelText(/^MAC address/u);
    const started = screen.getByLabelText(/^Start Date/u);
    const expired = screen.getByLabelText(/^Expiry Date/u);
    const set = async (field: HTMLElement, text: string) => {
      await user.clear(field);
      await user.type(field, text);
    };
    const add = () => user.click(button('Add'));
    expect(button('Group default')).toBeTruthy();
    await set(serial, ' HL-9 ');
    await add();
    expect(screen.getByText('Please enter the MAC address')).toBeTruthy();
    expect(screen.getByText('Please enter the Start Date')).toBeTruthy();
    await expect.poll(() => document.activeElement).toBe(mac);
    await set(mac, '00:B2:D0');
    await set(started, '12/31/2026');
    await set(expired, '01/01/2026');
    await user.tab();
    await add();
    expect(screen.getByText('Invalid MAC address format')).toBeTruthy();
    expect(screen.getByText('The expiry date must not be before the start date.')).toBeTruthy();
    await set(mac, '00:b2:d0:56:c2:27');
    await set(started, '01/01/2026');
    await set(expired, '12/31/2027');
    await user.tab();
    for (const [key, text, field] of [
      ['device.serial_unknown', 'Incorrect serial number', serial],
      ['device.mac_mismatch', 'Incorrect MAC address', mac],
      ['device.duplicate', 'Existing serial number', serial],
    ] as const) {
      respond(deviceAdding.addDevices, () => new Failed(key));
      await add();
      expect(await screen.findByText(text)).toBeTruthy();
      await expect.poll(() => document.activeElement).toBe(field);
    }
    await user.click(screen.getByRole('link', { name: 'Back' }));
    const question = await screen.findByRole('alertdialog');
    expect(question.textContent).toContain('There are unsaved changes. Do you want to save them before leaving?');
    expect(within(question).getByRole('button', { name: 'Discard' })).toBeTruthy();
    await user.keyboard('{Escape}');
    respond(deviceAdding.addDevices, { result: [{ ...example(deviceAdding.addDevices).result[0]!, device: 'new' }] });
    await add();
    expect(await screen.findByText('Device Save Success')).toBeTruthy();
    expect(address()).toBe('/devices/list');
    expect(document.cookie).toContain('highlineD=new');
    expect(requests(deviceAdding.addDevices).at(-1)?.body).toEqual({
      realm: 'highline',
      device_type_id: 'highline-router',
      devices: [
        {
          serial_number: 'HL-9',
          mac: '00B2D056C227',
          group: 'default+group+id',
          started: '01/01/2026',
          expired: '12/31/2027',
        },
      ],
    });
  });

  test('DEV-05-partial the main account chooses the organization first, among more than are offered at once', async () => {
    const { open, respond, requests, user, address } = startConsole({ role: 'main' });
    const all = example(organizations.listOrganizations);
    const offered = ['Metro Bus', 'City Tram'].map((name) => ({ ...all.result.list[0]!, id: name.slice(0, 5), name }));
    respond(organizations.listOrganizations, ({ query }) => {
      const { search = '' } = query as { search?: string };
      return { ...all, result: { list: offered.filter(({ name }) => name.toLowerCase().includes(search)) }, total: 30 };
    });
    await open('/devices/add?method=manual');
    for (const [label, text] of [
      [/^Serial number/u, 'HL-9'],
      [/^MAC address/u, '00B2D056C227'],
      [/^Start Date/u, '01/01/2026'],
      [/^Expiry Date/u, '12/31/2027'],
    ] as const)
      await user.type(screen.getByLabelText(label), text);
    await user.tab();
    await user.click(button('Add'));
    expect(screen.getByText('Please select an org')).toBeTruthy();
    expect(requests(deviceAdding.addDevices)).toEqual([]);
    await user.click(button(/^Org/u));
    expect(await screen.findByText('Keep typing to narrow down.')).toBeTruthy();
    await user.type(screen.getByRole('combobox', { name: 'Org' }), 'tram');
    await expect.poll(() => screen.queryByRole('option', { name: 'Metro Bus' })).toBeNull();
    await user.click(screen.getByRole('option', { name: 'City Tram' }));
    expect(screen.getByLabelText<HTMLInputElement>(/^Serial number/u).value).toBe('HL-9');
    await user.click(button('Add'));
    await expect.poll(address).toContain('/devices/orgList?org=City+');
    expect(requests(deviceAdding.addDevices)[0]?.body).toMatchObject({ org: 'City ' });
  });
});

describe('/devices/add from a file', () => {
  const csv = new File(['SN;MAC\r\n'], 'devices.csv', { type: 'text/csv' });
  const { result } = example(deviceAdding.importDevices);
  const fail = [{ row: 4, serial: 'HL-w', mac: '', error: 'Incorrect MAC address' }];

  test('DEV-06 the template has two own routers; another file is named; failed rows are listed, added ones are marked', async () => {
    const { open, respond, sendList, requests, user, downloads, address } = startConsole();
    sendList(views.listViews, []);
    sendList(devices.listDevices, [listed('a', { mac: '001122334455' }), listed('b', { mac: '00B2D0000002' }), listed('c')]);
    await open('/devices/add');
    await user.click(button('File format'));
    await user.click(await screen.findByRole('button', { name: 'Download the template' }));
    expect(downloads[0]?.name).toBe('Devices_template_Lakeshore Transit.csv');
    const lines = (await downloads[0]!.content.text()).trim().split('\r\n');
    expect(lines.slice(1).map((line) => line.split(',').slice(0, 2))).toEqual([
      // No spreadsheet takes its zeros.
      ['HL-a', "'001122334455"],
      ['HL-b', '00B2D0000002'],
    ]);
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Close' }));
    const input = document.querySelector<HTMLInputElement>('input[type=file]')!;
    const other = new File(['x'], 'devices.txt', { type: 'text/plain' });
    fireEvent.change(input, { target: { files: Object.assign([other], { item: () => other }) } });
    expect(await screen.findByText('file type error')).toBeTruthy();
    await user.upload(input, csv);
    respond(
      deviceAdding.importDevices,
      () => new Failed('csv.all_failed', { detail: { total: 3, failed: 3, fail, report: '' } }),
    );
    await user.click(button('Import'));
    const dialog = () => screen.getByRole('dialog');
    await expect.poll(() => dialog().textContent).toContain('Successfully added: 0 of 3.');
    await user.click(within(dialog()).getByRole('button', { name: 'Close' }));
    await expect.poll(address).toBe('/devices/list');
    expect(requests(deviceAdding.importDevices)[0]?.files['file']?.name).toBe('devices.csv');
  });

  test('DEV-06-partial what was added is said with each row that was not, and the list marks it', async () => {
    const { open, respond, sendList, user } = startConsole();
    sendList(devices.listDevices, [listed('a'), listed('b')]);
    respond(deviceAdding.importDevices, {
      result: { ...result, success: 1, total: 2, failed: 1, fail, ids: ['b'], dates: [], report: '' },
    });
    await open('/devices/add');
    await user.upload(document.querySelector<HTMLInputElement>('input[type=file]')!, csv);
    await user.click(button('Import'));
    const dialog = await screen.findByRole('dialog');
    for (const text of ['Successfully added: 1 of 2.', 'Row 4, HL-w:', 'Incorrect MAC address'])
      expect(dialog.textContent).toContain(text);
    await user.click(within(dialog).getByRole('button', { name: 'Close' }));
    await expect.poll(() => screen.queryByText('HL-b')?.closest('tr')?.dataset['highlighted']).toBeDefined();
    expect(row('HL-a').dataset['highlighted']).toBeUndefined();
  });

  test('DEV-06-partial NAV-07-partial in Chinese too, why a file and its rows were not taken is what the form of one device says', async () => {
    const { open, respond, user } = startConsole({ language: 'zh-TW' });
    const rows = [...fail, { row: 5, serial: 'HL-x', mac: '', error: 'Existing serial number' }];
    const detail = { total: 2, failed: 2, fail: rows, report: '' };
    respond(deviceAdding.importDevices, () => new Failed('csv.all_failed', { reason: 'Incorrect MAC address', detail }));
    await open('/devices/add');
    await user.upload(document.querySelector<HTMLInputElement>('input[type=file]')!, csv);
    await user.click(button('匯入'));
    const dialog = await screen.findByRole('dialog');
    expect(dialog.textContent.match(/MAC 位址不正確/gu)).toHaveLength(2);
    expect(dialog.textContent).toContain('序號已存在');
    expect(dialog.textContent).not.toMatch(/Incorrect|Existing/u);
  });

  test('DEV-05-partial an ambiguous date is a question, whose answer is sent with the check and with the import', async () => {
    const { open, respond, requests, user } = startConsole();
    const dates = [{ column: 'Start Date', example: '03/04/2026', readings: { mdy: '2026-03-04', dmy: '2026-04-03' } }];
    respond(deviceAdding.importDevices, ({ query }) => {
      if ((query as { dates?: string }).dates === 'ask') return new Failed('csv.dates_ambiguous', { detail: { dates } });
      const file = { encoding: 'windows-1252' as const, encodingAssumed: true, ignored: ['Depot'] };
      return {
        result: { ...result, success: 1, total: 1, failed: 0, fail: [], file, dates: [{ ...dates[0]!, order: 'dmy' as const }] },
      };
    });
    await open('/devices/add');
    await user.upload(document.querySelector<HTMLInputElement>('input[type=file]')!, csv);
    await user.click(button('Check first'));
    expect(await screen.findByText(/What day is 03\/04\/2026\?/u)).toBeTruthy();
    await user.click(button('April 3, 2026'));
    expect(await screen.findByText(/1 row can be imported/u)).toBeTruthy();
    for (const text of [
      /it was read as windows-1252/u,
      'Start Date: 03/04/2026 was read as April 3, 2026.',
      'Ignored columns: Depot',
    ])
      expect(screen.getByText(text)).toBeTruthy();
    await user.click(button('Import'));
    expect((await screen.findByRole('dialog')).textContent).toContain('Successfully added: 1 of 1.');
    expect(requests(deviceAdding.importDevices).map(({ query }) => query)).toEqual([
      { dates: 'ask', dryRun: 'true' },
      { dates: 'dmy', dryRun: 'true' },
      { dates: 'dmy' },
    ]);
  });
});

describe('/devices/setting', () => {
  test('DEV-07 SHR-04-partial SHR-06-partial SHR-09-partial Save is for changes, sends only them, and the list marks the device', async () => {
    const { open, respond, sendList, requests, user, address } = startConsole();
    respond(devices.getDevice, stored({ group: 'default group id', group_name: 'default', tags: [] }));
    sendList(groups.listGroups, [{ group: 'north', groupName: 'North' }]);
    const { result: moved } = example(rollouts.moveImpact);
    respond(rollouts.moveImpact, { result: { ...moved, starts: 0 } as typeof moved });
    await open('/devices/setting?device=a&tab=settings');
    const save = () => button('Save');
    expect(save().getAttribute('aria-disabled')).toBe('true');
    await user.type(screen.getByLabelText('Vehicle#'), '<img src=x onerror=alert(1)> 🚌');
    await user.click(button('Group default'));
    await user.click(await screen.findByRole('option', { name: 'North' }));
    await user.click(screen.getAllByRole('link', { name: 'Devices' })[0]!);
    expect((await screen.findByRole('alertdialog')).textContent).toContain('There are unsaved changes.');
    await user.keyboard('{Escape}');
    expect(address()).toBe('/devices/setting?device=a&tab=settings');
    await user.click(save());
    expect(await screen.findByText('Edit success')).toBeTruthy();
    expect(requests(devices.saveDevice)[0]?.body).toMatchObject({
      device: 'a',
      vehicleNumber: '<img src=x onerror=alert(1)> 🚌',
      group: 'north',
    });
    expect(requests(devices.saveDevice)[0]?.body).not.toHaveProperty('note');
    expect(requests(devices.saveDevice)[0]?.ifMatch).toMatch(/^"/u);
    expect(document.cookie).toContain('highlineD=a');
  });

  test("DEV-07-partial the one who saves second reads the first one's changes, keeps what is typed, and saves it over them", async () => {
    const { open, respond, requests, user } = startConsole();
    respond(devices.getDevice, stored());
    respond(devices.saveDevice, () => new Failed('conflict.stale'));
    await open('/devices/setting?device=a&tab=settings');
    await user.type(screen.getByLabelText('Notes'), 'mine');
    respond(devices.getDevice, stored({ note: 'theirs' }));
    await user.click(button('Save'));
    const dialog = await screen.findByRole('alertdialog');
    expect(dialog.textContent).toContain('theirs');
    await user.click(within(dialog).getByRole('button', { name: 'OK' }));
    expect(screen.getByLabelText<HTMLTextAreaElement>('Notes').value).toBe('mine');
    respond(devices.saveDevice, example(devices.saveDevice));
    await user.click(button('Save'));
    expect(await screen.findByText('Edit success')).toBeTruthy();
    const [first, second] = requests(devices.saveDevice);
    expect(second?.body).toMatchObject({ note: 'mine' });
    expect(second?.ifMatch).not.toBe(first?.ifMatch);
  });

  test('DPG-03 the health score says what it was computed from and how; without data there is none', async () => {
    const { open, visit, respond, user } = startConsole({ role: 'user' });
    const inputs = { at: 1_795_435_200, rsrp: -120, rssi: null, drops: 5, temperature: 41, voltage: 12.4 };
    respond(devices.getDevice, ({ query }) =>
      (query as { device: string }).device === 'a'
        ? stored({ health: 52, health_inputs: inputs })
        : stored({ device: 'b', health: null, health_inputs: null }),
    );
    await open('/devices/setting?device=a');
    const panel = () => screen.getByRole('region', { name: 'Health' });
    expect(panel().textContent).toMatch(/52\s*fair/u);
    await user.click(within(panel()).getByText('How it is computed'));
    for (const [input, text] of [
      ['Mean signal power \\(RSRP\\)', /−120 dBm.*−95 dBm … −125 dBm.*17.*40$/u],
      ['Connection lost, times', /5.*0 … 10.*50.*30$/u],
      ['Highest temperature', /105\.8 °F.*100.*15$/u],
      ['Lowest supply voltage', /12.4 V.*100.*15$/u],
    ] as const)
      expect(row(input).textContent).toMatch(text);
    expect(panel().textContent).toContain('Score = sum of points × weight');
    await visit('/devices/setting?device=b');
    expect(panel().textContent).toContain('No score');
  });

  const describedBy = (name: string) => {
    const id = button(name).getAttribute('aria-describedby');
    return id === null ? undefined : document.querySelector(`[id="${id}"]`)?.textContent;
  };

  test('DEV-07-partial what a router that never connected rules out says why', async () => {
    const { open, respond } = startConsole();
    respond(devices.getDevice, stored({ presence: 'offline', presence_since: null, subscription_status: 'In Warranty' }));
    respond(remoteAccess.getConnection, { result: null, types: ['ssh', 'gui'] });
    await open('/devices/setting?device=a&tab=diagnostics');
    expect(describedBy('Connect')).toBe('The connection cannot be built because the device is offline.');
    expect(describedBy('Reset PWD')).toBe(
      'The password cannot be reset because the device is offline or the subscription has expired.',
    );
  });

  test.each([
    ['no dates', { started: '', expired: '' }, 'The device has no subscription yet, or it has not begun.'],
    [
      'a later begin',
      { started: '01/01/2098', expired: '12/31/2098' },
      'The device has no subscription yet, or it has not begun.',
    ],
    [
      'an end',
      { started: '01/01/2020', expired: '12/31/2020' },
      'The connection cannot be built because the subscription has expired.',
    ],
  ])('RMT-05-partial SAY-04-partial a subscription with %s is named as it is before a connection', async (_, days, text) => {
    const { open, respond } = startConsole();
    respond(devices.getDevice, stored({ presence: 'online', subscription_status: 'Not subscribed', ...days }));
    respond(remoteAccess.getConnection, { result: null, types: ['ssh', 'gui'] });
    await open('/devices/setting?device=a&tab=diagnostics');
    const reset = 'The password cannot be reset because the device is offline or the subscription has expired.';
    expect([describedBy('Connect'), describedBy('Reset PWD')]).toEqual([text, text.includes('expired') ? reset : text]);
  });

  test.each(['main', 'user'] as const)('DEV-07-partial the %s reads what only an admin may do, and why not', async (role) => {
    const { open, visit, respond } = startConsole({ role });
    respond(devices.getDevice, stored());
    await open('/devices/setting?device=a&tab=diagnostics');
    for (const name of ['Reset PWD', 'Connect']) {
      expect(button(name).getAttribute('aria-disabled')).toBe('true');
      expect(describedBy(name)).toBe('Only admins can connect to a router or reset its password.');
    }
    await visit('/devices/setting?device=a&tab=settings');
    expect(screen.getByLabelText('Vehicle#').hasAttribute('readonly')).toBe(true);
    const record = screen.getByRole('region', { name: 'Device' });
    expect(within(record).getByRole('button', { name: 'Save' }).getAttribute('aria-disabled')).toBe('true');
  });
});
