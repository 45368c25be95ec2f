import { deviceAdding, inventory, organizations } from '@highline/contract';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { button, example, Failed, startConsole } from '../../../testing/console.tsx';

const current = () => document.querySelector('[aria-current="step"]')?.textContent;
const isDisabled = (name: string) => button(name).getAttribute('aria-disabled') === 'true';
const field = (label: RegExp) => screen.getByLabelText<HTMLInputElement>(label);
const facts = () => document.querySelector('dl')?.textContent ?? '';
const csv = new File(['SN,MAC\r\nHL-1,00:B2:D0:56:C2:27\r\n'], 'routers.csv', { type: 'text/csv' });
const fail = [{ row: 5, serial: 'NOT-OURS', mac: '', error: 'Incorrect serial number' }];

function start() {
  const started = startConsole({ role: 'main', permissions: ['create.theSameVendor'] });
  const { user, respond, sendList, requests } = started;
  respond(organizations.createOrganization, ({ query }) => {
    const dryRun = (query as { dryRun?: string }).dryRun !== undefined;
    return { result: { id: dryRun ? '' : 'new', dryRun } };
  });
  const { result } = example(deviceAdding.importDevices);
  respond(deviceAdding.importDevices, ({ query }) => {
    const dryRun = (query as { dryRun?: string }).dryRun !== undefined;
    return { result: { ...result, dryRun, success: 3, total: 4, failed: 1, fail, dates: [], report: 'SN,MAC', ids: [] } };
  });
  sendList(
    inventory.listRouters,
    ['HL-1', 'HL-2', 'HL-3'].map((serial, index) => ({ id: `r${index}`, serial_number: serial, mac: `00B2D056C22${index}` })),
  );
  return {
    ...started,
    /** Calls that create. */
    created: () => requests(organizations.createOrganization).filter(({ query }) => query.dryRun === undefined),
    async toDevices() {
      await started.open('/organization/add');
      await user.type(field(/^Org name/u), 'North');
      await user.type(field(/^Contact email/u), 'ann@north.example');
      await user.click(button('Continue'));
      await screen.findByRole('heading', { level: 2, name: 'Devices' });
    },
  };
}

test('ORG-03 the first step waits for name and contact, and checks both before anything is created', async () => {
  const { open, respond, requests, user } = start();
  await open('/organization/add');
  expect(isDisabled('Continue')).toBe(true);
  await user.type(field(/^Org name/u), 'North');
  expect(isDisabled('Continue')).toBe(true);
  await user.type(field(/^Contact email/u), 'ann at home');
  const rejected = async (text: string) => {
    await user.click(button('Continue'));
    const alert = await screen.findByRole('alertdialog');
    expect(alert.textContent).toContain(text);
    await user.click(within(alert).getByRole('button', { name: 'OK' }));
    expect(current()).toBe('1Info');
  };
  await rejected('Invalid Email');
  expect(requests(organizations.createOrganization)).toEqual([]);
  respond(organizations.createOrganization, () => new Failed('account.exists'));
  await user.clear(field(/^Contact email/u));
  await user.type(field(/^Contact email/u), 'ann@north.example');
  await rejected('Account already exists');
  const [sent] = requests(organizations.createOrganization);
  expect(sent).toMatchObject({
    query: { dryRun: 'true' },
    body: { name: 'North', contact: { email: 'ann@north.example' }, language: 'en-US' },
  });
});

test('ORG-03-partial a file is checked before anything is created, each step leads back, and two clicks create one organization', async () => {
  const { toDevices, requests, created, user, address, downloads } = start();
  await toDevices();
  expect(button('Skip')).toBeTruthy();
  await user.click(button('CSV file'));
  await user.click(button('File format'));
  const template = screen.getByRole('dialog');
  expect(template.textContent).toContain('XX:XX:XX:XX:XX:XX');
  await user.click(within(template).getByRole('button', { name: 'Download the template' }));
  expect(downloads[0]?.name).toBe('Organization_devices_template_North.csv');
  expect((await downloads[0]!.content.text()).trimEnd().split('\r\n')).toEqual([
    expect.stringMatching(/SN,MAC$/u),
    expect.stringMatching(/^\w+,(?:[0-9A-F]{2}:){5}[0-9A-F]{2}$/u),
  ]);
  await user.click(within(template).getByRole('button', { name: 'Close' }));
  await user.upload(document.querySelector<HTMLInputElement>('input[type=file]')!, csv);
  expect(await screen.findByText('3 of 4 rows can be added.')).toBeTruthy();
  expect(screen.getByText(/Row 5, NOT-OURS:/u)).toBeTruthy();
  await user.click(button('Download Report'));
  expect(downloads.at(-1)?.name).toBe('Devices_error.csv');
  expect(screen.queryByRole('button', { name: 'Skip' })).toBeNull();
  await user.click(button('Continue'));
  await expect.poll(facts).toContain('routers.csv: 3 of 4 rows');
  await user.click(button('Back'));
  expect(await screen.findByText('3 of 4 rows can be added.')).toBeTruthy();
  await user.click(button('Back'));
  await expect.poll(current).toBe('1Info');
  expect(field(/^Contact email/u).value).toBe('ann@north.example');
  await user.click(screen.getAllByRole('link', { name: 'Organizations' }).at(-1)!);
  expect((await screen.findByRole('alertdialog')).textContent).toContain('There are unsaved changes.');
  await user.keyboard('{Escape}');
  expect(created()).toEqual([]);
  await user.click(button('Continue'));
  await user.click(await screen.findByRole('button', { name: 'Continue' }));
  await user.dblClick(await screen.findByRole('button', { name: 'Add Org' }));
  const result = await screen.findByRole('dialog');
  for (const text of ['Successfully added: 3 of 4.', 'Row 5, NOT-OURS:']) expect(result.textContent).toContain(text);
  expect(created()).toHaveLength(1);
  expect(requests(deviceAdding.importDevices).at(-1)).toMatchObject({ body: { org: 'new', layout: 'organization' } });
  await user.click(within(result).getByRole('button', { name: 'Close' }));
  await expect.poll(address).toBe('/organization');
  expect(document.cookie).toContain('highlineO=new');
});

test('SHR-06-partial ORG-03-partial what is discarded on leaving the wizard is not there when it opens again', async () => {
  const { toDevices, user, address, visit } = start();
  await toDevices();
  await user.click(screen.getAllByRole('link', { name: 'Organizations' }).at(-1)!);
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Discard' }));
  await screen.findByRole('heading', { level: 1, name: 'Organizations' });
  expect(address()).toBe('/organization');
  await visit('/organization/add');
  expect((await screen.findByLabelText<HTMLInputElement>(/^Org name/u)).value).toBe('');
});

test('ORG-03-partial routers are chosen from the stock with days in their order; the choice outlives the other source and the steps', async () => {
  const { toDevices, requests, user, address } = start();
  await toDevices();
  expect(button('Stock').getAttribute('aria-pressed')).toBe('true');
  expect(requests(inventory.listRouters).at(-1)?.query).toMatchObject({ claimed: 'unclaimed' });
  for (const serial of ['HL-1', 'HL-2', 'HL-3', 'HL-3'])
    await user.click(await screen.findByRole('checkbox', { name: new RegExp(serial, 'u') }));
  expect(screen.getByText('2 routers selected')).toBeTruthy();
  await user.type(screen.getByRole('searchbox'), 'HL-2');
  await expect.poll(() => requests(inventory.listRouters).at(-1)?.query).toMatchObject({ search: 'HL-2' });
  fireEvent.change(field(/^Subscription to/u), { target: { value: '31/12/2027' } });
  fireEvent.blur(field(/^Subscription to/u));
  await user.click(button('Continue'));
  expect(field(/^Subscription to/u).value).toBe('31/12/2027');
  fireEvent.change(field(/^Subscription to/u), { target: { value: '01/01/2026' } });
  fireEvent.blur(field(/^Subscription to/u));
  expect(isDisabled('Continue')).toBe(true);
  await user.click(button('12 months'));
  await user.click(button('CSV file'));
  expect(button('Skip')).toBeTruthy();
  await user.click(button('Stock'));
  await user.click(button('Continue'));
  await expect.poll(facts).toContain('2 routers, subscriptions');
  await user.click(button('Add Org'));
  await screen.findByRole('dialog');
  const sent = await requests(deviceAdding.importDevices).at(-1)!.files['file']!.text();
  expect(sent.trimEnd().split('\r\n')).toEqual([
    'SN,MAC,Start Date,Expiry Date',
    'HL-1,00B2D056C220,11/23/2026,11/22/2027',
    'HL-2,00B2D056C221,11/23/2026,11/22/2027',
  ]);
  expect(address()).toContain('step=summary');
});

test('ORG-06-partial a contact that someone else takes meanwhile is said, and what was typed is what the next try begins with', async () => {
  const { toDevices, respond, created, user, address } = start();
  await toDevices();
  await user.click(button('Skip'));
  await expect.poll(facts).toContain('ann@north.example');
  respond(organizations.createOrganization, () => new Failed('account.exists'));
  await user.click(button('Add Org'));
  const alert = await screen.findByRole('alertdialog');
  expect(alert.textContent).toContain('Account already exists');
  await user.click(within(alert).getByRole('button', { name: 'OK' }));
  await expect.poll(current).toBe('1Info');
  expect([field(/^Org name/u).value, field(/^Contact email/u).value]).toEqual(['North', 'ann@north.example']);
  expect(screen.getByText('The organization was not created. Your input is still here.')).toBeTruthy();
  respond(organizations.createOrganization, ({ query }) => {
    const dryRun = (query as { dryRun?: string }).dryRun !== undefined;
    return { result: { id: dryRun ? '' : 'late', dryRun } };
  });
  await user.clear(field(/^Contact email/u));
  await user.type(field(/^Contact email/u), 'kim@north.example');
  for (const name of ['Continue', 'Skip', 'Add Org']) await user.click(await screen.findByRole('button', { name }));
  await expect.poll(address).toBe('/organization');
  expect(created().at(-1)?.body).toMatchObject({ name: 'North', contact: { email: 'kim@north.example' } });
});

test('ORG-03-partial without the permission there is no form', async () => {
  const { open } = startConsole({ role: 'main', permissions: [] });
  await open('/organization/add');
  expect(screen.getByText('Permission denied')).toBeTruthy();
  expect(screen.queryByLabelText(/^Org name/u)).toBeNull();
});
