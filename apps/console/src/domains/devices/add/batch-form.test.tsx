import { deviceAdding, devices, groups, inventory, organizations } from '@highline/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { example, Failed, startConsole } from '../../../testing/console.tsx';

test('OLD-04-partial an admin has no stock to take a batch from', async () => {
  const { open } = startConsole();
  await open('/devices/add');
  expect(screen.getByLabelText('Add manually')).toBeTruthy();
  expect(screen.queryByLabelText('Batch from stock')).toBeNull();
});

test('OLD-04 a batch is checked first: each fault at its field, then who gets which name, and created only after that', async () => {
  const { open, respond, sendList, user, requests, address } = startConsole({ role: 'main' });
  sendList(organizations.listOrganizations, [{ id: 'lake', name: 'Lake' }] as never);
  sendList(groups.listGroups, []);
  await open('/devices/add');
  await user.click(screen.getByLabelText('Batch from stock'));
  const check = await screen.findByRole('button', { name: 'Check' });
  const field = (name: RegExp) => screen.getByRole<HTMLInputElement>('textbox', { name });
  await user.type(field(/^Name/u), 'Tram ');
  await user.click(check);
  expect(await screen.findByText('Please select an org')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: /^Org/u }));
  await user.click(await screen.findByRole('option', { name: 'Lake' }));
  await user.click(check);
  for (const text of ['Please enter the Number of devices', 'Please enter the Expiry Date'])
    expect(screen.getByText(text)).toBeTruthy();
  await expect.poll(() => document.activeElement).toBe(field(/^Number of devices/u));
  await user.clear(field(/^First number/u));
  await user.type(field(/^First number/u), '008');
  await user.type(field(/^Number of devices/u), '3');
  expect(screen.getByText('Tram 008 to Tram 010')).toBeTruthy();
  for (const [label, day] of [
    [/^Start Date/u, '01/01/2026'],
    [/^Expiry Date/u, '12/31/2027'],
  ] as const) {
    await user.click(screen.getByLabelText(label));
    await user.paste(day);
    await user.tab();
  }
  await user.type(field(/^First serial number/u), 'HL-1');
  for (const [failure, text, at] of [
    [new Failed('device.serial_unknown', { field: 'serial_number' }), 'Incorrect serial number', /^First serial number/u],
    [
      new Failed('device.name_taken', { field: 'name', reason: 'Device 3 of 3: Tram 010' }),
      'A device with this name already exists. Device 3 of 3: Tram 010',
      /^Name/u,
    ],
  ] as const) {
    respond(deviceAdding.addBatch, () => failure);
    await user.click(check);
    expect(await screen.findByText(text)).toBeTruthy();
    await expect.poll(() => document.activeElement).toBe(field(at));
  }
  const row = (number: number) => ({
    device: `${number}`,
    vehicle_number: `Tram 00${number}`,
    serial_number: `HL-${number}`,
    mac: `MAC${number}`,
  });
  respond(deviceAdding.addBatch, ({ query }) => ({
    result: { dryRun: 'dryRun' in query, devices: [row(8), row(9)], confirmation: 'both' },
  }));
  await user.click(check);
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
    'Vehicle #Serial #MAC',
    'Tram 008HL-8MAC8',
    'Tram 009HL-9MAC9',
  ]);
  expect(requests(deviceAdding.addBatch).every(({ query }) => 'dryRun' in query)).toBe(true);
  sendList(devices.listDevices, [{ device: '9', serial_number: 'HL-9' }]);
  await user.click(dialog.getByRole('button', { name: /^Create 2 devices/u }));
  await expect.poll(address).toMatch(/^\/devices\/orgList/u);
  await waitFor(() => expect(screen.getAllByText('HL-9').at(-1)?.closest('tr')?.dataset['highlighted']).toBeDefined());
  expect(requests(deviceAdding.addBatch).at(-1)).toMatchObject({
    query: { confirmed: 'both' },
    body: {
      org: 'lake',
      name: 'Tram ',
      first: '008',
      batch: 3,
      serial_number: 'HL-1',
      started: '01/01/2026',
      expired: '12/31/2027',
    },
  });
});

/** The form with a batch of one device, typed in; `check` opens the dialog of what would be created. */
async function typeBatch({ open, respond, sendList, fill, user }: ReturnType<typeof startConsole>) {
  sendList(organizations.listOrganizations, [{ id: 'lake', name: 'Lake' }] as never);
  sendList(groups.listGroups, []);
  const model = (name: string) => ({ ...example(inventory.listModels).result[0]!, model: name });
  respond(inventory.listModels, { result: [model('HL-R320'), model('HL-R520')] });
  await open('/devices/add');
  await user.click(screen.getByLabelText('Batch from stock'));
  await user.selectOptions(await screen.findByLabelText(/^Device Model/u), 'HL-R520');
  await user.click(screen.getByRole('button', { name: /^Org/u }));
  await user.click(await screen.findByRole('option', { name: 'Lake' }));
  const text = (name: RegExp) => screen.getByRole('textbox', { name });
  await fill(text(/^Name/u), 'Tram ');
  await fill(text(/^Number of devices/u), '1');
  await fill(text(/^Start Date/u), '01/01/2026');
  await fill(text(/^Expiry Date/u), '12/31/2027');
  await user.tab();
  await user.click(screen.getByRole('button', { name: 'Check' }));
  const dialog = within(await screen.findByRole('dialog'));
  return { dialog, create: () => user.click(dialog.getByRole('button', { name: 'Create 1 device' })) };
}

test('OLD-04-partial a batch of other routers than were confirmed is shown again, and not created before', async () => {
  const app = startConsole({ role: 'main' });
  const { respond, requests } = app;
  const batch = (serial: string, dryRun: boolean) => ({
    dryRun,
    devices: [{ device: dryRun ? '' : 'one', vehicle_number: 'Tram 1', serial_number: serial, mac: 'MAC' }],
    confirmation: serial,
  });
  respond(deviceAdding.addBatch, { result: batch('HL-1', true) });
  const { dialog, create } = await typeBatch(app);
  respond(deviceAdding.addBatch, () => new Failed('impact.changed', { detail: batch('HL-2', true) }));
  await create();
  expect(await dialog.findByText(/^The stock has changed since the check\./u)).toBeTruthy();
  expect(dialog.getByText('HL-2')).toBeTruthy();
  respond(deviceAdding.addBatch, { result: batch('HL-2', false) });
  await create();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(requests(deviceAdding.addBatch).map(({ query, body }) => [query, body.model])).toEqual([
    [{ dryRun: 'true' }, 'HL-R520'],
    [{ confirmed: 'HL-1' }, 'HL-R520'],
    [{ confirmed: 'HL-2' }, 'HL-R520'],
  ]);
});

test('OLD-04-partial a batch that a process of the version before has checked, without a confirmation, is created', async () => {
  const app = startConsole({ role: 'main' });
  const { respond, requests, address } = app;
  respond(deviceAdding.addBatch, ({ query }) => {
    const dryRun = 'dryRun' in query;
    const device = { device: dryRun ? '' : 'one', vehicle_number: 'Tram 1', serial_number: 'HL-1', mac: 'MAC' };
    return { result: { dryRun, devices: [device], confirmation: 'left out' } };
  });
  const served = globalThis.fetch;
  vi.stubGlobal('fetch', async (...sent: Parameters<typeof fetch>) => {
    const response = await served(...sent);
    const text = (await response.text()).replace(',"confirmation":"left out"', '');
    return new Response(text, response);
  });
  const { create } = await typeBatch(app);
  await create();
  await expect.poll(address).toMatch(/^\/devices\/orgList/u);
  expect(requests(deviceAdding.addBatch).map(({ query }) => query)).toEqual([{ dryRun: 'true' }, {}]);
});
