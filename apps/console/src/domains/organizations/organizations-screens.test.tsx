import { accounts, organizations, secondFactor } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { button, example, Failed, isDisabled, row, startConsole } from '../../testing/console.tsx';

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(new RegExp(`^${name}( \\*)?$`, 'u'));
const depot = {
  id: 'depot',
  name: 'Depot',
  contacter: 'kim@depot.example',
  phone: '+886 2 5550',
  address: '7 Depot Road',
  tags: [],
  retentionDays: null,
  maxRetentionDays: 30,
  devices: 3,
  expire: 1,
  ended: 0,
  expireDevices: '1/3',
};
const others = Array.from({ length: 10 }, (_, at) => ({
  ...depot,
  id: `o${at}`,
  name: `Other ${at}`,
  address: '',
  contacter: '',
}));

describe('/organization', () => {
  test('ORG-01 ten a page with contact, phone, address and ratio; searched by each of them; a row and its ratio lead on', async () => {
    const { open, sendList, requests, user, address, rows, visit } = startConsole({ role: 'main' });
    sendList(organizations.listOrganizations, [depot, ...others]);
    await open('/organization');
    const titles = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
    const figures = ['Org name', 'Online', 'Rollouts', 'Expiring'];
    expect(titles.slice(1)).toEqual([...figures, 'Contact', 'Phone', 'Address', 'Expiring/All Devices']);
    expect(rows()).toHaveLength(10);
    for (const text of ['kim@depot.example', '+886 2 5550', '7 Depot Road', '1/3'])
      expect(row('Depot').textContent).toContain(text);
    expect(screen.getByRole('link', { name: 'Add' }).getAttribute('href')).toBe('/organization/add');
    const options = within(field('Search in')).getAllByRole('option');
    expect(options.map(({ textContent }) => textContent)).toEqual(['Org name', 'Email', 'Phone', 'Address']);
    await user.selectOptions(field('Search in'), 'Phone');
    await user.type(screen.getByRole('searchbox'), '2 5550');
    await expect
      .poll(() => requests(organizations.listOrganizations).at(-1)?.query)
      .toMatchObject({ search: '2 5550', field: 'phone' });
    expect(screen.getByRole('link', { name: 'Show devices of Depot: 1/3' }).getAttribute('href')).toBe(
      '/devices/orgList?org=depot',
    );
    await user.click(screen.getByText('Depot'));
    await expect.poll(address).toMatch(/^\/organization\/setting\?org=depot/u);
    await user.click(await within(screen.getByRole('main')).findByRole('link', { name: 'Organizations' }));
    await expect.poll(address).toBe('/organization?search=2+5550&field=phone');
    await visit('/organization/setting');
    await expect.poll(address).toMatch(/^\/organization(\?|$)/u);
  });

  test('ORG-02 three a page to pick from; only DELETE ORG deletes, one by one, and the result names each', async () => {
    const { open, sendList, respond, requests, user, rows } = startConsole({ role: 'main' });
    sendList(organizations.listOrganizations, [depot, ...others]);
    respond(organizations.deleteOrganization, ({ body }) =>
      body.org === 'depot'
        ? { result: { ...example(organizations.deleteOrganization).result, devices: 2 } }
        : new Failed('not_found'),
    );
    await open('/organization');
    await user.click(button('Delete'));
    await expect.poll(() => rows().length).toBe(3);
    expect(screen.getByText('1–3 of 11')).toBeTruthy();
    expect(isDisabled(button('Delete(0)'))).toBe(true);
    await user.click(within(row('Depot')).getByRole('checkbox'));
    await user.click(button('Cancel'));
    await expect.poll(() => rows().length).toBe(10);
    await user.click(button('Delete'));
    await expect.poll(() => rows().length).toBe(3);
    // What was picked before is not.
    expect(button('Delete(0)')).toBeTruthy();
    for (const name of ['Depot', 'Other 0']) await user.click(within(row(name)).getByRole('checkbox'));
    await user.click(button('Delete(2)'));
    const dialog = () => screen.getByRole('alertdialog');
    expect(dialog().textContent).toContain('Its users are signed out now, rollouts stop');
    expect(dialog().textContent).toContain('This action is permanent and cannot be undone.');
    await user.click(within(dialog()).getByRole('button', { name: 'Delete' }));
    const typed = await within(dialog()).findByRole('textbox');
    for (const wrong of ['delete org', 'DELETE ORG ', ' DELETE ORG', 'DELETE  ORG', 'DELETE']) {
      await user.clear(typed);
      await user.type(typed, `${wrong}{Enter}`);
      expect(isDisabled(within(dialog()).getByRole('button', { name: 'Delete' }))).toBe(true);
    }
    expect(requests(organizations.deleteOrganization)).toEqual([]);
    await user.clear(typed);
    await user.type(typed, 'DELETE ORG');
    await user.click(within(dialog()).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('1 organization was deleted.')).toBeTruthy();
    const results = within(dialog())
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
    expect(results).toEqual(['Depot: deleted, 2 devices returned to your inventory', 'Other 0: Not found']);
    expect(requests(organizations.deleteOrganization).map(({ body }) => body.org)).toEqual(['depot', 'o0']);
  });
});

describe('/organization/setting', () => {
  const sent = Date.parse('2026-11-23T15:00:00Z') / 1000;
  const contact = {
    id: 'rosa',
    name: 'Rosa Lind',
    email: 'rosa@depot.example',
    role: 'vendor' as const,
    invitation: { sent, expires: sent + 604_800 },
  };
  const admin = {
    id: 'lost',
    name: 'Lost',
    email: 'lost@depot.example',
    role: 'super' as const,
    invitation: null,
    secondFactor: true,
  };

  /** The settings of the organization, with the users that these calls answer. */
  async function openSettings(users: readonly (typeof contact | typeof admin)[] = []) {
    const console = startConsole({ role: 'main' });
    console.sendList(organizations.listOrganizations, [depot]);
    console.sendList(accounts.listAccounts, users);
    await console.open('/organization/setting?org=depot');
    await screen.findByLabelText(/^Org name/u);
    return console;
  }

  test('ORG-04 name, phone, address and days are saved over what was seen; a stale save and a lost network keep the input', async () => {
    const { fail, respond, sendList, requests, user, lose, restore } = await openSettings();
    expect([field('Contact').readOnly, field('Expiring or expired / all devices').value]).toEqual([true, '1/3']);
    expect(isDisabled(button('Save'))).toBe(true);
    const days = 'Keep readings and history \\(days\\)';
    expect(field(days).value).toBe('');
    await user.type(field(days), '31');
    await user.click(button('Save'));
    expect(await screen.findByText('Days: enter 1 to 30, or leave it empty.')).toBeTruthy();
    await user.clear(field(days));
    await user.type(field(days), '7');
    await user.clear(field('Phone'));
    await user.type(field('Phone'), '+1 312 555 0100');
    fail(organizations.saveOrganization, 'conflict.stale');
    sendList(organizations.listOrganizations, [{ ...depot, address: 'Elsewhere' }]);
    await user.click(button('Save'));
    expect((await screen.findByRole('alertdialog')).textContent).toContain('Elsewhere');
    await user.click(button('OK'));
    lose();
    await user.click(button('Save'));
    expect((await screen.findByRole('alertdialog')).textContent).toContain('Cannot reach the server.');
    await user.click(button('OK'));
    restore();
    expect([field('Phone').value, field(days).value]).toEqual(['+1 312 555 0100', '7']);
    respond(organizations.saveOrganization, example(organizations.saveOrganization));
    await user.click(button('Save'));
    expect(await screen.findByText('Edit success')).toBeTruthy();
    const saves = requests(organizations.saveOrganization);
    expect(saves.at(-1)).toMatchObject({ params: { org: 'depot' }, body: { phone: '+1 312 555 0100', retentionDays: 7 } });
    expect(saves.at(-1)?.ifMatch).not.toBe(saves[0]?.ifMatch);
  });

  test('ORG-06 a save that fails since the organization is gone is shown in an alert, and the list follows; Cancel warns of changes', async () => {
    const { fail, sendList, user, address, visit } = await openSettings();
    await user.click(button('Cancel'));
    await expect.poll(address).toBe('/organization');
    await visit('/organization/setting?org=depot');
    await user.type(await screen.findByLabelText(/^Org name/u), ' never saved');
    await user.click(button('Cancel'));
    const question = await screen.findByRole('alertdialog');
    expect(question.textContent).toContain('There are unsaved changes. Do you want to save them before leaving?');
    await user.click(within(question).getByRole('button', { name: 'Discard' }));
    await expect.poll(address).toBe('/organization');
    await visit('/organization/setting?org=depot');
    const name = await screen.findByLabelText<HTMLInputElement>(/^Org name/u);
    expect(name.value).toBe('Depot');
    await user.type(name, ' never saved');
    fail(organizations.saveOrganization, 'not_found');
    sendList(organizations.listOrganizations, []);
    await user.click(button('Save'));
    expect((await screen.findByRole('alertdialog')).textContent).toContain('Error Message');
    await user.click(button('OK'));
    await expect.poll(address).toBe('/organization');
  });

  test('ORG-05 a contact whose invitation is open gets it again, or at a corrected address; faults are said at the field', async () => {
    const { fail, respond, sendList, requests, user } = await openSettings([contact]);
    const contacts = within(screen.getByRole('region', { name: 'Contacts' }));
    expect((await contacts.findByRole('listitem')).textContent).toContain('not accepted yet');
    await user.click(contacts.getByRole('button', { name: `Send again: ${contact.email}` }));
    await expect.poll(() => requests(accounts.sendInvitation).map(({ params }) => params.id)).toEqual(['rosa']);
    await user.click(contacts.getByRole('button', { name: `Correct the address: ${contact.email}` }));
    const form = within(await screen.findByRole('dialog', { name: 'Correct the address' }));
    const email = form.getByRole<HTMLInputElement>('textbox', { name: 'Email' });
    const send = form.getByRole('button', { name: 'Send the invitation' });
    expect([email.value, isDisabled(send)]).toEqual([contact.email, true]);
    fail(accounts.correctInvitation, 'account.exists');
    for (const [typed, message] of [
      ['rosa at home', 'Invalid Email'],
      ['taken@depot.example', 'Account already exists'],
    ] as const) {
      await user.clear(email);
      await user.type(email, typed);
      await user.click(send);
      expect(await form.findByText(message)).toBeTruthy();
      await expect.poll(() => document.activeElement).toBe(email);
    }
    const right = 'rosa.lind@depot.example';
    respond(accounts.correctInvitation, { result: contact.invitation });
    sendList(accounts.listAccounts, [{ ...contact, email: right }]);
    await user.clear(email);
    await user.type(email, right.toUpperCase());
    await user.click(send);
    expect(await screen.findByText(`An invitation is on its way to ${right}.`)).toBeTruthy();
    expect(requests(accounts.correctInvitation).at(-1)).toMatchObject({ params: { id: 'rosa' }, body: { email: right } });
    expect(await contacts.findByText(right)).toBeTruthy();
    expect(contacts.queryByText(contact.email)).toBeNull();
  });

  test('the second factor of an admin who lost it is reset', async () => {
    const { sendList, requests, user } = await openSettings([admin]);
    const admins = within(screen.getByRole('region', { name: 'Admins' }));
    expect(await admins.findByText('Second factor on')).toBeTruthy();
    await user.click(admins.getByRole('button', { name: `Reset the second factor: ${admin.email}` }));
    sendList(accounts.listAccounts, [{ ...admin, secondFactor: false }]);
    await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Reset the second factor' }));
    expect(await admins.findByText('Second factor off')).toBeTruthy();
    expect(requests(secondFactor.resetSecondFactor).map(({ params }) => params.id)).toEqual(['lost']);
  });
});

test('ORG-05-partial ORG-06-partial /organization/addUser takes a name and an address; a failure is shown in an alert and the form starts over', async () => {
  const { open, sendList, respond, fail, requests, user, address } = startConsole({ role: 'main' });
  sendList(organizations.listOrganizations, [depot]);
  await open('/organization/addUser?org=depot');
  expect(isDisabled(button('Add'))).toBe(true);
  await user.type(field('Username'), 'Rosa Lind');
  expect(isDisabled(button('Add'))).toBe(true);
  await user.type(field('Email'), 'not an address');
  await user.click(button('Add'));
  expect(await screen.findByText('Invalid Email')).toBeTruthy();
  fail(accounts.createAccount, 'account.exists');
  await user.clear(field('Email'));
  await user.type(field('Email'), 'taken@depot.example');
  await user.click(button('Add'));
  expect((await screen.findByRole('alertdialog')).textContent).toContain('Error Message');
  await user.click(button('OK'));
  expect(field('Username').value).toBe('');
  await user.type(field('Username'), 'Rosa Lind');
  await user.type(field('Email'), 'Rosa@Depot.example');
  respond(accounts.createAccount, example(accounts.createAccount));
  await user.click(button('Add'));
  expect(await screen.findByText('Rosa@Depot.example was invited')).toBeTruthy();
  expect(address()).toBe('/organization/setting?org=depot');
  expect(requests(accounts.createAccount).at(-1)?.body).toMatchObject({
    org: 'depot',
    name: 'Rosa Lind',
    email: 'rosa@depot.example',
    role: 'r.depot.vendor',
    serviceContacter: true,
  });
});
