import { devices, organizations, type rollouts } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { button, example, Failed, isDisabled, row, startConsole } from '../../../testing/console.tsx';

const dialog = () => screen.getByRole('alertdialog');
const none: rollouts.Arrivals = { firmware: null, config: null, confirmation: 'nothing' };

/** What the target's default group starts on one vehicle. */
const binds = (name: string): rollouts.Arrivals => {
  const { config } = example(organizations.transferDevices).impact;
  return { firmware: null, config: { ...config!, name, change: 1, offline: 0, vehicles: ['Bus 7'] }, confirmation: name };
};

const serials = ['S-1', 'S-2', 'S-3', 'S-4'].map((serial) => ({
  device: serial,
  serial_number: serial,
  vehicle_number: '',
  org: 'own',
  projectName: 'Own',
}));

/** /devices/orgList while these devices are picked to be transferred to "Other". */
async function pick(...picked: readonly string[]) {
  const console = startConsole({ role: 'main' });
  console.sendList(devices.listDevices, serials);
  console.sendList(organizations.listOrganizations, [
    { id: 'other', name: 'Other' },
    { id: 'own', name: 'Own' },
  ]);
  await console.open('/devices/orgList?size=5');
  await console.user.click(button('Transfer / Delete'));
  for (const serial of picked) await console.user.click(within(row(serial)).getByRole('checkbox'));
  const choose = async () => {
    await console.user.click(button(`Transfer(${picked.length})`));
    const choice = within(screen.getByRole('dialog', { name: 'Transfer devices' }));
    expect(isDisabled(choice.getByRole('button', { name: 'Continue' }))).toBe(true);
    await console.user.type(choice.getByRole('combobox', { name: 'Target organization' }), 'Other');
    const searched = () => console.requests(organizations.listOrganizations).at(-1)?.query;
    await expect.poll(searched).toMatchObject({ search: 'Other', ignoreCase: 'true' });
    await console.user.click(await choice.findByRole('option', { name: /^Other/u }));
    await console.user.click(choice.getByRole('button', { name: 'Continue' }));
  };
  const yes = async () => {
    const sure = () => within(dialog()).getByRole('button', { name: 'Yes' });
    // Until the effect is known it waits.
    await expect.poll(() => isDisabled(sure())).toBe(false);
    await console.user.click(sure());
  };
  const type = async (word: string) => {
    const typed = await screen.findByRole('textbox', { name: /TRANSFER/u });
    await console.user.clear(typed);
    if (word !== '') await console.user.type(typed, word);
    return within(typed.closest('dialog')!).getByRole('button', { name: 'Transfer' });
  };
  return { ...console, choose, yes, type };
}

test('OGL-01 the devices of all organizations: columns, filters and search, three a page', async () => {
  const { open, sendList, user, rows } = startConsole({ role: 'main' });
  sendList(devices.listDevices, serials);
  await open('/devices/orgList');
  expect(rows().map((each) => within(each).getAllByRole('cell')[1]?.textContent)).toEqual(['1', '2', '3']);
  const titles = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  expect(titles.slice(1)).toEqual(['#', 'Service Status', 'Expiration Date', 'Device Serial#', 'Device Model', 'Org']);
  const filters = {
    'Service Status': ['All status', 'Subscribed', 'Expiring', 'Not subscribed'],
    'Expiration date': ['All dates', 'Today', 'This week', 'This month'],
  };
  for (const [name, options] of Object.entries(filters)) {
    await user.click(button(new RegExp(`^Filter by ${name}`, 'u')));
    const offered = within(await screen.findByRole('listbox')).getAllByRole('option');
    expect(offered.map(({ textContent }) => textContent)).toEqual(options);
    await user.keyboard('{Escape}');
  }
  const fields = within(screen.getByLabelText('Search in')).getAllByRole('option');
  expect(fields.map(({ textContent }) => textContent)).toEqual(['Serial #', 'Organization', 'Vehicle #']);
  expect(screen.getByRole('link', { name: 'Add' }).getAttribute('href')).toBe('/devices/add');
  expect(button('Download(.csv)')).toBeTruthy();
});

test('OGL-04 devices are picked, and given to another organization in three dialogs, of which the last takes TRANSFER exactly', async () => {
  const { respond, sendList, requests, user, choose, yes, type } = await pick('S-1');
  await user.click(button('Cancel'));
  await user.click(button('Transfer / Delete'));
  // What was picked before is not.
  expect([isDisabled(button('Transfer(0)')), isDisabled(button('Delete(0)'))]).toEqual([true, true]);
  for (const serial of ['S-1', 'S-2']) await user.click(within(row(serial)).getByRole('checkbox'));
  await user.click(button('Transfer(2)'));
  await user.click(within(screen.getByRole('dialog', { name: 'Transfer devices' })).getByRole('button', { name: 'Cancel' }));
  await user.click(within(row('S-2')).getByRole('checkbox'));
  respond(organizations.transferDevices, { ...example(organizations.transferDevices), result: { transferred: 1 }, impact: none });
  await choose();
  expect(dialog().textContent).toContain('transfer the selected device to Other');
  expect(dialog().textContent).toContain('S-1');
  await yes();
  for (const wrong of ['', 'transfer', ' TRANSFER', 'TRANSFER ', 'TRANSFERS']) {
    expect(isDisabled(await type(wrong))).toBe(true);
    await user.keyboard('{Enter}');
  }
  expect(requests(organizations.transferDevices).every(({ query }) => query.dryRun === '1')).toBe(true);
  sendList(devices.listDevices, serials.slice(1));
  await user.click(await type('TRANSFER'));
  expect(await screen.findByText('1 device now belongs to Other')).toBeTruthy();
  const [sent] = requests(organizations.transferDevices).filter(({ query }) => query.dryRun !== '1');
  expect([sent?.body, sent?.query.confirmed]).toEqual([{ target: 'other', serials: ['S-1'] }, 'nothing']);
  await expect.poll(() => screen.queryByText('S-1')).toBeNull();
});

test('OGL-04-partial it says what goes along, and what is deleted or cancelled for good', async () => {
  const { respond, choose } = await pick('S-1');
  respond(organizations.transferDevices, {
    result: { transferred: 0 },
    impact: none,
    lost: { values: 1_200, pictures: 1, settings: 0, commands: 2 },
  });
  await choose();
  const losses = await within(dialog()).findByRole('status');
  expect(
    within(losses)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['1,200 values of custom properties', '1 picture of a custom property', '2 waiting commands']);
  expect(dialog().textContent).toContain('can read the activation codes of these eSIMs. Positions do not move.');
});

test('OGL-04-partial it names the vehicles that the target starts an update on, and asks again when that has changed', async () => {
  const { respond, requests, user, choose, yes, type } = await pick('S-1');
  let now = binds('one.cfg');
  respond(organizations.transferDevices, ({ query }) =>
    query.dryRun === '1' || query.confirmed === now.confirmation
      ? { ...example(organizations.transferDevices), result: { transferred: 1 }, impact: now }
      : new Failed('impact.changed', { detail: now }),
  );
  await choose();
  await expect.poll(() => dialog().textContent).toContain('Config file one.cfg is bound in the default group of Other.');
  expect(dialog().textContent).toContain('1 vehicle reconnects with it now:Bus 7');
  await yes();
  // Another file is bound before the word is typed.
  now = binds('two.cfg');
  await user.click(await type('TRANSFER'));
  await expect.poll(() => dialog().textContent).toContain('This has changed since you confirmed it.');
  await expect.poll(() => dialog().textContent).toContain('Config file two.cfg is bound');
  await yes();
  await user.click(await type('TRANSFER'));
  expect(await screen.findByText('1 device now belongs to Other')).toBeTruthy();
  const confirmed = requests(organizations.transferDevices).flatMap(({ query }) => query.confirmed ?? []);
  expect(confirmed).toEqual(['one.cfg', 'two.cfg']);
});
