import { deviceAdding, devices, inventory, organizations } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { example, startConsole } from '../../../testing/console.tsx';
import { Failed } from '../../../testing/fake-server.ts';

const file = new File(['SN,MAC\n'], 'rows.csv', { type: 'text/csv' });
const pick = async (user: ReturnType<typeof startConsole>['user']) =>
  user.upload(document.querySelector<HTMLInputElement>('input[type=file]')!, file);

test('BLK-05 BLK-02-partial a file is checked first, and its faulty rows are a report that can be mended and imported again', async () => {
  const { open, respond, sendList, user, requests, downloads } = startConsole();
  const result = (dryRun: boolean) => ({
    ...example(deviceAdding.importDevices).result,
    dryRun,
    success: 1,
    total: 2,
    failed: 1,
    ids: ['bus'],
    report: 'SN,Error\r\nHL-2,soon\r\n',
    reported: 1,
    dates: [],
    fail: [{ row: 3, serial: 'HL-2', mac: '', error: 'Start Date: must be a date' }],
    changes: {
      fields: [{ field: 'tags' as const, rows: 1 }],
      rows: [{ row: 2, serial: 'HL-1', changes: [{ field: 'group' as const, before: '', after: 'default' }] }],
      newTags: ['a,b', 'late'],
    },
  });
  respond(deviceAdding.importDevices, ({ query }) => ({ result: result(query.dryRun !== undefined) }));
  await open('/devices/add');
  await pick(user);
  await user.click(screen.getByRole('button', { name: 'Check first' }));
  expect(await screen.findByText('1 row can be imported. Nothing has been changed yet.')).toBeTruthy();
  expect(screen.getByText('New tags: a,b, late')).toBeTruthy();
  await user.click(screen.getByText('First row'));
  expect(screen.getByRole('row', { name: /HL-1/u }).textContent).toContain('Group: default');
  expect(screen.getByText(/^Row 3, HL-2:/u)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Import' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/^Successfully added: 1 of 2\./u)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Download Report' }));
  await expect.poll(() => downloads).toHaveLength(1);
  expect(await downloads[0]?.content.text()).toBe('SN,Error\r\nHL-2,soon\r\n');
  sendList(devices.listDevices, [{ device: 'bus', serial_number: 'HL-1' }]);
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  await expect.poll(() => screen.queryAllByText('HL-1').at(-1)?.closest('tr')?.dataset['highlighted']).toBeDefined();
  expect(requests(deviceAdding.importDevices).map(({ query }) => 'dryRun' in query)).toEqual([true, false]);
});

test('BLK-05-partial what a file would add to one organization is not shown for another', async () => {
  const { open, respond, sendList, user } = startConsole({ role: 'main' });
  const { result } = example(deviceAdding.importDevices);
  const none = { failed: 0, fail: [], report: '', reported: 0, dates: [] };
  respond(deviceAdding.importDevices, { result: { ...result, ...none, dryRun: true, success: 1, total: 1 } });
  sendList(organizations.listOrganizations, [
    { id: 'lake', name: 'Lake' },
    { id: 'hill', name: 'Hill' },
  ]);
  await open('/devices/add');
  const choose = async (name: string) => {
    await user.click(screen.getByRole('button', { name: /^Org/u }));
    await user.click(await screen.findByRole('option', { name }));
  };
  await choose('Lake');
  await pick(user);
  await user.click(screen.getByRole('button', { name: 'Check first' }));
  const found = '1 row can be imported. Nothing has been changed yet.';
  expect(await screen.findByText(found)).toBeTruthy();
  await choose('Hill');
  expect(screen.queryByText(found)).toBeNull();
});

test('BLK-05-partial routers of a file are checked first too', async () => {
  const { open, respond, user, requests } = startConsole({ role: 'main' });
  const { result } = example(inventory.importRouters);
  respond(inventory.importRouters, {
    result: {
      ...result,
      dryRun: true,
      success: 1,
      total: 2,
      failed: 1,
      fail: [{ ...result.fail[0]!, row: 3, serial: 'HL-1', error: 'This serial number is already in the inventory.' }],
    },
  });
  await open('/inventory');
  await user.click(screen.getByRole('button', { name: 'Import CSV' }));
  await pick(user);
  await user.click(screen.getByRole('button', { name: 'Check first' }));
  const dialog = within(screen.getByRole('dialog', { name: /import/iu }));
  expect(await dialog.findByText('1 row can be imported. Nothing has been changed yet.')).toBeTruthy();
  expect(dialog.getByText(/This serial number is already in the inventory\./u)).toBeTruthy();
  expect(requests(inventory.importRouters).every(({ query }) => 'dryRun' in query)).toBe(true);
});

test('BLK-05-partial a check that ends after another file of routers was chosen is not shown for it; a file whose rows all failed shows them', async () => {
  const { open, respond, user, downloads } = startConsole({ role: 'main' });
  const { result } = example(inventory.importRouters);
  const late = Promise.withResolvers<void>();
  respond(inventory.importRouters, async ({ files }) => {
    const isFirst = files['file']?.name === 'first.csv';
    if (isFirst) await late.promise;
    return { result: { ...result, dryRun: true, success: isFirst ? 7 : 8, total: 9, failed: 0, fail: [], report: '' } };
  });
  await open('/inventory');
  await user.click(screen.getByRole('button', { name: 'Import CSV' }));
  const choose = async (name: string) => {
    await user.upload(document.querySelector<HTMLInputElement>('input[type=file]')!, new File(['SN,MAC\n'], name));
    await user.click(screen.getByRole('button', { name: 'Check first' }));
  };
  const shown = (rows: number) => `${rows} rows can be imported. Nothing has been changed yet.`;
  await choose('first.csv');
  await user.upload(document.querySelector<HTMLInputElement>('input[type=file]')!, new File(['SN,MAC\n'], 'second.csv'));
  late.resolve();
  await expect.poll(() => screen.getByRole('button', { name: 'Check first' }).hasAttribute('data-loading')).toBe(false);
  expect(screen.queryByText(shown(7))).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Check first' }));
  expect(await screen.findByText(shown(8))).toBeTruthy();

  const fail = [{ row: 2, serial: 'HL-1', mac: '', error: 'This serial number is already in the inventory.' }];
  const detail = { success: 0, total: 1, failed: 1, fail, report: 'SN,Error\r\n', reported: 1 };
  respond(inventory.importRouters, () => new Failed('csv.all_failed', { reason: fail[0]!.error, detail }));
  await user.click(screen.getByRole('button', { name: 'Import' }));
  const dialog = within(screen.getByRole('dialog', { name: /import/iu }));
  expect(await dialog.findByText('Successfully added: 0 of 1.')).toBeTruthy();
  expect(dialog.getByRole('listitem').textContent).toBe('Row 2, HL-1: This serial number is already in the inventory.');
  await user.click(dialog.getByRole('button', { name: 'Download Report' }));
  expect([downloads[0]?.name, await downloads[0]?.content.text()]).toEqual(['Inventory_error.csv', 'SN,Error\r\n']);
});

test('SHR-08-partial the file of the secrets of imported routers has all digits of their numbers, and no formula', async () => {
  const { open, respond, user, downloads } = startConsole({ role: 'main' });
  const { result } = example(inventory.importRouters);
  const minted = [{ serial: '000123456789', mac: '001122334455', endpointId: 'os::001122-1', secret: 'aB-_0' }, { serial: '-A1', mac: '00B2D056C227', endpointId: '=1+1', secret: '9x' }]; // prettier-ignore
  respond(inventory.importRouters, { result: { ...result, success: 2, total: 2, failed: 0, fail: [], report: '', minted } });
  await open('/inventory');
  await user.click(screen.getByRole('button', { name: 'Import CSV' }));
  await pick(user);
  await user.click(screen.getByRole('button', { name: 'Import' }));
  await user.click(await screen.findByRole('button', { name: 'Save secrets' }));
  expect(downloads[0]?.name).toBe('Router_secrets.csv');
  expect((await downloads[0]?.content.text())?.split('\r\n').slice(1)).toEqual([
    "'000123456789,'001122334455,os::001122-1,aB-_0",
    "'-A1,00B2D056C227,'=1+1,9x",
    '',
  ]);
});

test.each([
  ['user', '/devices/list'],
  ['main', '/devices/orgList'],
] as const)('BLK-02 tags are a column and a filter of the list of a %s, and a column of its file', async (role, path) => {
  const { open, respond, sendList, user, requests } = startConsole({ role });
  sendList(devices.listDevices, [{ serial_number: 'HL-1', tags: ['a,b', 'late'] }]);
  respond(devices.exportDevices, new Blob(['#\r\n']) as never);
  await open(`${path}?tag=a%2Cb`);
  await user.click(screen.getByRole('button', { name: 'Columns' }));
  await user.click(screen.getByRole('checkbox', { name: 'Tags' }));
  await user.keyboard('{Escape}');
  expect(screen.getByRole('row', { name: /HL-1/u }).textContent).toContain('a,b, late');
  expect(requests(devices.listDevices).at(-1)?.query.tag).toBe('a,b');
  await user.click(screen.getByRole('button', { name: 'Download(.csv)' }));
  await expect.poll(() => requests(devices.exportDevices)[0]?.query.columns?.split(',').includes('tags')).toBe(true);
});
