import { identityProviders, accounts, leaves, notifications, secondFactor } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { example, Failed, startConsole } from '../../testing/console.tsx';

const button = (name: string | RegExp) => screen.getByRole('button', { name });
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(new RegExp(`^${name}( \\*)?$`, 'u'));
const row = (text: string) => screen.getByRole('row', { name: new RegExp(text, 'u') });
const isDisabled = (element: HTMLElement) => element.getAttribute('aria-disabled') === 'true';
const person = (name: string, parts: Partial<accounts.ListedPerson> = {}) => ({
  id: name,
  name,
  email: `${name}@lakeshore.example`,
  role: 'vendor' as const,
  invitation: null,
  ...parts,
});

describe('/users', () => {
  test('USR-01 three a page, filtered by role, searched by name or email, downloaded, and a row opens its user', async () => {
    const { open, sendList, respond, requests, user, address, rows, downloads } = startConsole();
    sendList(accounts.listAccounts, [person('chief', { role: 'super' }), ...['ann', 'bob', 'cat'].map((name) => person(name))]);
    respond(accounts.exportAccounts, 'Username\r\n');
    await open('/users');
    expect(rows()).toHaveLength(3);
    const titles = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
    expect(titles.slice(1)).toEqual(['Username', 'Email', 'Role']);
    expect(row('chief').textContent).toContain('Admin');
    expect(row('ann').textContent).toContain('User');
    expect(screen.getByRole('link', { name: 'Add' }).getAttribute('href')).toBe('/users/add');
    await user.click(button(/^Filter by Role/u));
    const roles = within(await screen.findByRole('listbox')).getAllByRole('option');
    expect(roles.map(({ textContent }) => textContent)).toEqual(['All user roles', 'Admin', 'User']);
    await user.click(screen.getByRole('option', { name: 'Admin' }));
    await expect.poll(address).toBe('/users?role=admin');
    await user.selectOptions(field('Search in'), 'Email');
    await user.type(screen.getByRole('searchbox'), 'a');
    const query = { role: 'admin', search: 'a', field: 'email' };
    await expect.poll(() => requests(accounts.listAccounts).at(-1)?.query).toEqual({ ...query, limit: 3, offset: 0 });
    await user.click(button('Download(.csv)'));
    await expect.poll(() => downloads.map(({ name }) => name)).toEqual(['Users_export.csv']);
    expect(requests(accounts.exportAccounts)[0]?.query).toMatchObject(query);
    await user.click(screen.getByRole('checkbox', { name: /ann/u }));
    await user.click(button(/^Export/u));
    await expect.poll(() => requests(accounts.exportAccounts)[1]?.query).toMatchObject({ only: 'ann', zone: 'America/Chicago' });
    await user.click(row('ann'));
    expect(await screen.findByRole('heading', { level: 1 })).toBeTruthy();
    expect(address()).toBe('/users/detail?user=ann');
  });

  test('USR-01-partial the list says who has no access, an own role, or is a guest and until when; the page says that a guest is one no longer', async () => {
    const { open, sendList, respond, user } = startConsole();
    const ownRole = { id: 'dispatch', name: 'Dispatcher', rights: ['devices.read'] };
    sendList(accounts.listAccounts, [
      person('guest', { role: 'super', guestUntil: '2026-12-24T08:00:00Z', ownRole: null }),
      person('rita', { ownRole, guestUntil: null }),
      person('past', { roles: [], ownRole: null, guestUntil: null }),
    ]);
    respond(accounts.getAccount, {
      result: { ...example(accounts.getAccount).result, ...person('past'), roles: [], guestEnded: '2026-11-20T08:00:00Z' },
    });
    await open('/users');
    expect(row('guest').textContent).toContain('Admin (guest)');
    expect(row('rita').textContent).toContain('Dispatcher');
    expect(row('past').textContent).toContain('No access');
    await user.click(row('past'));
    expect(await screen.findByText(/was a guest until 11\/20\/2026/u)).toBeTruthy();
    expect(screen.queryByText(/directory of your company/u)).toBeNull();
  });

  test('USR-04 those that can be deleted are; one error names the others by reason', async () => {
    const { open, sendList, respond, requests, user, hold } = startConsole();
    const names = ['gone', 'late', 'mine', 'ok'];
    sendList(accounts.listAccounts, [person('account'), ...names.map((name) => person(name))]);
    respond(leaves.listLeaves, ({ params: { id } }) =>
      id === 'gone' ? new Failed('not_found') : { result: { id, leaves: [] } },
    );
    respond(accounts.deleteAccount, ({ params: { id } }) => {
      if (id === 'mine') return new Failed('permission.denied');
      return id === 'ok' ? { result: { deleted: 1 } } : new Failed('account.not_found');
    });
    await open('/users?size=10');
    await user.click(button('Delete'));
    expect(isDisabled(within(row('account')).getByRole('checkbox'))).toBe(false);
    for (const name of names) await user.click(within(row(name)).getByRole('checkbox'));
    const confirm = async (count: number) => {
      await user.click(button(`Delete(${count})`));
      await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
    };
    sendList(accounts.listAccounts, [person('mine')]);
    await confirm(4);
    expect(await screen.findByText('These users were not deleted.')).toBeTruthy();
    const dialog = button('OK').closest('dialog')!;
    expect(dialog.textContent).toContain('Error Message');
    const reasons = within(dialog)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
    expect(reasons).toEqual([
      'Invalid parameter: gone@lakeshore.example, late@lakeshore.example',
      'Permission denied: mine@lakeshore.example',
    ]);
    expect(requests(accounts.deleteAccount).map(({ params }) => params.id)).toEqual(names);
    await user.click(button('OK'));
    await expect.poll(() => screen.queryByText('ok')).toBeNull();
    // All of them: a success.
    respond(accounts.deleteAccount, { result: { deleted: 1 } });
    await user.click(button('Delete'));
    await user.click(within(row('mine')).getByRole('checkbox'));
    respond(leaves.listLeaves, {
      result: {
        id: 'mine',
        leaves: [
          { kind: 'keys', count: 1 },
          { kind: 'jobs', count: 2 },
        ],
      },
    });
    // A second click while the consequences load opens no second question.
    const release = hold(leaves.listLeaves);
    await user.dblClick(button('Delete(1)'));
    expect(button('Delete(1)').getAttribute('aria-busy')).toBe('true');
    release();
    const question = await screen.findByRole('alertdialog');
    expect(question.textContent).toContain(
      'These act in their name and will be stopped or deleted with them: 2 jobs that run, 1 API key.',
    );
    sendList(accounts.listAccounts, []);
    await user.click(within(question).getByRole('button', { name: 'Delete' }));
    expect(await screen.findByText('Delete Success')).toBeTruthy();
    expect(await screen.findByText('No Records.')).toBeTruthy();
  });
});

describe('/users/detail', () => {
  const shown = (parts: Partial<accounts.Person> = {}) => ({
    result: { ...example(accounts.getAccount).result, ...person('rider'), secondFactor: false, ...parts },
  });
  const texts = () =>
    within(screen.getByRole('region', { name: 'Privileges' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);

  test('USR-03 name and role are edited, the role with its privileges; what another saved first is named, and the input stays', async () => {
    const { open, respond, fail, requests, user } = startConsole();
    respond(accounts.getAccount, shown());
    fail(accounts.editAccount, 'conflict.stale');
    await open('/users/detail?user=rider');
    await screen.findByRole('region', { name: 'Privileges' });
    expect(field('Email').readOnly).toBe(true);
    expect(texts()).toEqual([
      'View devices',
      'Download device and group lists',
      "View groups' device lists",
      'Download the cloud log',
      "Can't change, connect to routers, or upload",
    ]);
    await user.selectOptions(field('Role'), 'Admin');
    expect(texts()).toEqual([
      'View and manage devices, download the device list',
      'Create, edit and delete devices',
      'Remote administration (GUI, SSH)',
      'View and manage groups',
      'Set up firmware and config files, advanced settings',
      'Upload config files',
      'Download the cloud log',
    ]);
    await user.clear(field('Username'));
    await user.type(field('Username'), 'Renamed');
    respond(accounts.getAccount, shown({ name: 'Theirs' }));
    await user.click(button('Save'));
    expect(await screen.findByText(/The user is now: Theirs, User\./u)).toBeTruthy();
    await user.click(button('OK'));
    expect(field('Username').value).toBe('Renamed');
    const saved = shown({ name: 'Renamed', role: 'super' });
    respond(accounts.editAccount, { result: saved.result });
    respond(accounts.changeRole, { result: saved.result });
    respond(accounts.getAccount, saved);
    await user.click(button('Save'));
    expect(await screen.findByText('Edit success')).toBeTruthy();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Renamed');
    const renamings = requests(accounts.editAccount);
    expect(renamings.map(({ body }) => body.name)).toEqual(['Renamed', 'Renamed']);
    // The second one is based on what the message showed.
    expect(renamings[1]?.ifMatch).not.toBe(renamings[0]?.ifMatch);
    expect(requests(accounts.changeRole).map(({ body: { id, original, target } }) => ({ id, original, target }))).toEqual([
      { id: 'rider', original: 'r.lakeshore.vendor', target: 'r.lakeshore.super' },
    ]);
  });

  test('USR-03-partial a name that was saved before its role was rejected is not sent again', async () => {
    const { open, respond, fail, requests, user } = startConsole();
    respond(accounts.getAccount, shown({ role: 'super' }));
    respond(accounts.editAccount, { result: shown({ name: 'Renamed', role: 'super' }).result });
    fail(accounts.changeRole, 'account.last_admin');
    await open('/users/detail?user=rider');
    await screen.findByRole('region', { name: 'Privileges' });
    await user.clear(field('Username'));
    await user.type(field('Username'), 'Renamed');
    await user.selectOptions(field('Role'), 'User');
    await user.click(button('Save'));
    await user.click(await screen.findByRole('button', { name: 'OK' }));
    await user.click(button('Save'));
    await expect.poll(() => requests(accounts.changeRole).length).toBe(2);
    await user.click(await screen.findByRole('button', { name: 'OK' }));
    await user.selectOptions(field('Role'), 'Admin');
    expect(isDisabled(button('Save'))).toBe(true);
    expect(field('Username').value).toBe('Renamed');
    expect(requests(accounts.editAccount)).toHaveLength(1);
  });

  test('an invitation is sent again, and a second factor is reset after a question', async () => {
    const { open, respond, requests, user } = startConsole();
    const sent = Date.parse('2026-11-23T15:00:00Z') / 1000;
    respond(accounts.getAccount, shown({ secondFactor: true, invitation: { sent, expires: sent + 604_800 } }));
    await open('/users/detail?user=rider');
    expect(await screen.findByText(/^Invitation sent .*, not accepted yet$/u)).toBeTruthy();
    await user.click(button('Send again'));
    expect(await screen.findByText('An invitation is on its way to rider@lakeshore.example.')).toBeTruthy();
    expect(requests(accounts.sendInvitation).map(({ params }) => params.id)).toEqual(['rider']);
    respond(accounts.getAccount, shown());
    await user.click(button('Reset the second factor'));
    const question = screen.getByRole('alertdialog');
    expect(question.textContent).toContain('rider@lakeshore.example will sign in with only a password');
    expect(requests(secondFactor.resetSecondFactor)).toEqual([]);
    await user.click(within(question).getByRole('button', { name: 'Reset the second factor' }));
    expect(await screen.findByText('The second factor was reset.')).toBeTruthy();
    expect(requests(secondFactor.resetSecondFactor).map(({ params }) => params.id)).toEqual(['rider']);
    await expect.poll(() => screen.queryByRole('button', { name: 'Reset the second factor' })).toBeNull();
  });
});

describe('notifications of an admin', () => {
  const every = ['TODAY_NOTIFY_SUBSCRIPTION', 'WEEK_NOTIFY_SUBSCRIPTION', 'MONTH_NOTIFY_SUBSCRIPTION'] as const;
  const notify = () => screen.getByRole<HTMLInputElement>('switch', { name: 'Notify this person by email' });
  const periods = () => ['Today', 'This week', 'This month'].map((period) => field(period).checked);
  const recipient = (types: readonly notifications.NotificationEvent[]) => ({
    mail: 'rider@lakeshore.example',
    types: [...types],
    gids: ['all'],
  });
  const admin = () => ({
    result: { ...example(accounts.getAccount).result, ...person('rider', { role: 'super' }), secondFactor: false },
  });

  test('USR-05 on /users/add they are offered to an admin only: off, then with all three periods, and saved after the user', async () => {
    const { open, respond, sendList, requests, user, address } = startConsole();
    sendList(notifications.listRecipients, []);
    respond(accounts.createAccount, { result: admin().result });
    await open('/users/add');
    await user.type(field('Username'), 'Rider');
    await user.type(field('Email'), 'rider@lakeshore.example');
    expect(screen.queryByRole('switch')).toBeNull();
    await user.selectOptions(field('Role'), 'Admin');
    expect(notify().checked).toBe(false);
    expect(screen.queryByLabelText('Service expiry')).toBeNull();
    await user.click(notify());
    expect([field('Service expiry').checked, ...periods()]).toEqual([true, true, true, true]);
    await user.click(field('Service expiry'));
    expect(screen.queryByLabelText('Today')).toBeNull();
    expect(isDisabled(button('Add'))).toBe(true);
    await user.click(field('Service expiry'));
    await user.click(button('Add'));
    await expect.poll(address).toBe('/users');
    expect(requests(accounts.createAccount)[0]?.body).toMatchObject({ role: 'r.lakeshore.super', language: 'en-US' });
    expect(requests(notifications.saveRecipient).map(({ body }) => body)).toMatchObject([
      { mail: 'rider@lakeshore.example', events: [...every], gids: ['all'] },
    ]);
  });

  test('USR-05-partial on /users/detail they need a period, keep the other events, and keep what is changed during a save', async () => {
    const { open, respond, sendList, hold, requests, user } = startConsole();
    sendList(notifications.listRecipients, []);
    respond(accounts.getAccount, admin());
    await open('/users/detail?user=rider');
    await screen.findByRole('region', { name: 'Privileges' });
    await screen.findByRole('switch');
    await user.click(notify());
    expect(periods()).toEqual([true, true, true]);
    for (const period of ['Today', 'This week', 'This month']) await user.click(field(period));
    expect(isDisabled(button('Save'))).toBe(true);
    await user.click(field('This month'));
    const month = 'MONTH_NOTIFY_SUBSCRIPTION';
    sendList(notifications.listRecipients, [recipient([month, 'BATTERY_LOW'])]);
    await user.click(button('Save'));
    expect(await screen.findByText('Edit success')).toBeTruthy();
    const sent = () => requests(notifications.saveRecipient).map(({ body }) => body.events);
    expect(sent()).toEqual([[month]]);
    expect(await screen.findByText('Other events: Battery low.', { exact: false })).toBeTruthy();
    expect(periods()).toEqual([false, false, true]);
    await user.click(field('Service expiry'));
    const release = hold(notifications.saveRecipient);
    await user.click(button('Save'));
    await user.click(notify());
    sendList(notifications.listRecipients, [recipient(['BATTERY_LOW'])]);
    release();
    await expect.poll(() => isDisabled(button('Save'))).toBe(false);
    expect(notify().checked).toBe(false);
    await user.click(button('Save'));
    await expect.poll(sent).toEqual([[month], ['BATTERY_LOW'], []]);
    expect(requests(accounts.editAccount)).toEqual([]);
  });

  test('USR-05-partial a user has none', async () => {
    const { open, respond } = startConsole();
    respond(accounts.getAccount, { result: { ...admin().result, role: 'vendor' } });
    await open('/users/detail?user=rider');
    await screen.findByRole('region', { name: 'Privileges' });
    expect(field('Role').value).toBe('user');
    expect(screen.queryByRole('switch')).toBeNull();
  });
});

describe('the own profile', () => {
  test('USR-03-partial a user reads it, and changes the password on the sign-in page', async () => {
    const { open, respond, user, left } = startConsole({ role: 'user' });
    respond(accounts.loginFrame, { data: '/account.html' });
    await open('/users/roleEdit');
    for (const [label, value] of Object.entries({ Username: 'Ana Ruiz', Email: 'ana@lakeshore.example', Role: 'User' }))
      expect([field(label).value, field(label).readOnly]).toEqual([value, true]);
    await user.click(button('Change PWD'));
    await expect.poll(() => left).toEqual(['/account.html?change=ana%40lakeshore.example']);
  });

  test('AUTH-08-partial one of the own sessions is ended, then all of them, which /logout confirms', async () => {
    const { open, respond, requests, user, left } = startConsole();
    const [session] = example(accounts.listSessions).result.list;
    const list = [
      { ...session!, id: 'here', current: true },
      { ...session!, id: 'there', current: false },
    ];
    respond(accounts.listSessions, { result: { list } });
    await open('/profile');
    expect(await screen.findAllByText('This session')).toHaveLength(1);
    respond(accounts.listSessions, { result: { list: list.slice(0, 1) } });
    await user.click(button('End'));
    await expect.poll(() => screen.queryByRole('button', { name: 'End' })).toBeNull();
    expect(requests(accounts.endSession).map(({ params }) => params.session)).toEqual(['there']);
    await user.click(button('Sign out everywhere'));
    await expect.poll(() => left).toEqual(['/logout?everywhere=1']);
    expect(requests(accounts.signOutEverywhere)).toHaveLength(1);
  });

  test('a second factor is turned on with password and code, its recovery codes are saved, and it is turned off with both', async () => {
    const { open, respond, fail, requests, user, downloads } = startConsole();
    const state = { enabled: false, since: null, recoveryCodes: 0 };
    respond(secondFactor.getSecondFactor, { result: state });
    fail(secondFactor.beginSecondFactor, 'account.wrong_password');
    await open('/profile');
    const region = () => within(screen.getByRole('region', { name: 'Second factor' }));
    await user.click(await region().findByRole('button', { name: 'Turn on' }));
    const dialog = () => within(screen.getByRole('dialog'));
    expect(isDisabled(dialog().getByRole('button', { name: 'Next' }))).toBe(true);
    await user.type(dialog().getByLabelText('Your password'), 'secret');
    await user.click(dialog().getByRole('button', { name: 'Next' }));
    expect(await dialog().findByText('Wrong password.')).toBeTruthy();
    respond(secondFactor.beginSecondFactor, { result: { secret: 'ABCDEFGH', uri: 'otpauth://totp/a?secret=ABCDEFGH' } });
    await user.click(dialog().getByRole('button', { name: 'Next' }));
    expect(await dialog().findByRole('img', { name: 'QR code of the key' })).toBeTruthy();
    expect(dialog().getByText('ABCD EFGH')).toBeTruthy();
    fail(secondFactor.confirmSecondFactor, 'account.otp_wrong');
    await user.type(dialog().getByRole('textbox', { name: 'Code' }), '123456');
    await user.click(dialog().getByRole('button', { name: 'Turn on' }));
    expect(await dialog().findByText('This code is wrong or was already used.')).toBeTruthy();
    respond(secondFactor.confirmSecondFactor, { result: { recoveryCodes: ['aaaa-bbbb', 'cccc-dddd'] } });
    respond(secondFactor.getSecondFactor, { result: { enabled: true, since: 1_795_000_000, recoveryCodes: 2 } });
    await user.click(dialog().getByRole('button', { name: 'Turn on' }));
    expect(await screen.findByRole('dialog', { name: 'Recovery codes' })).toBeTruthy();
    await user.click(dialog().getByRole('button', { name: 'Save as a file' }));
    expect([downloads[0]?.name, await downloads[0]?.content.text()]).toEqual([
      'highline-recovery-codes.txt',
      'aaaa-bbbb\r\ncccc-dddd\r\n',
    ]);
    await user.click(dialog().getByRole('button', { name: 'Done' }));
    expect(await region().findByText(/2 recovery codes left/u)).toBeTruthy();
    await user.click(region().getByRole('button', { name: 'Turn off' }));
    expect(isDisabled(dialog().getByRole('button', { name: 'Turn off' }))).toBe(true);
    await user.type(dialog().getByLabelText('Your password'), 'secret');
    await user.type(dialog().getByRole('textbox', { name: 'Code' }), 'aaaa-bbbb');
    respond(secondFactor.getSecondFactor, { result: state });
    await user.click(dialog().getByRole('button', { name: 'Turn off' }));
    expect(await region().findByRole('button', { name: 'Turn on' })).toBeTruthy();
    expect(requests(secondFactor.endSecondFactor).map(({ body }) => body)).toEqual([{ password: 'secret', code: 'aaaa-bbbb' }]);
  });

  test('IAM-01-partial after a company sign-in, another one takes the place of the password', async () => {
    const { open, respond, requests, user, left } = startConsole();
    respond(secondFactor.getSecondFactor, { result: { enabled: false, since: null, recoveryCodes: 0 } });
    respond(identityProviders.getConfirmation, { result: { possible: true, until: null } });
    await open('/profile');
    const turnOn = async () => {
      const region = within(screen.getByRole('region', { name: 'Second factor' }));
      await user.click(await region.findByRole('button', { name: 'Turn on' }));
      return within(screen.getByRole('dialog'));
    };
    respond(identityProviders.beginConfirmation, { result: { url: 'https://login.example.com/authorize' } });
    await user.click(await (await turnOn()).findByRole('button', { name: 'Confirm by company sign-in' }));
    await expect.poll(() => left).toEqual(['https://login.example.com/authorize']);
    expect(requests(identityProviders.beginConfirmation)[0]?.body).toEqual({ next: '/profile' });
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    respond(identityProviders.getConfirmation, { result: { possible: true, until: '2099-01-01T00:00:00Z' } });
    const dialog = await turnOn();
    expect(await dialog.findByText(/You have just confirmed it by company sign-in\./u)).toBeTruthy();
    expect(dialog.queryByLabelText('Your password')).toBeNull();
    respond(secondFactor.beginSecondFactor, { result: { secret: 'ABCDEFGH', uri: 'otpauth://totp/a?secret=ABCDEFGH' } });
    await user.click(dialog.getByRole('button', { name: 'Next' }));
    expect(await dialog.findByText('ABCD EFGH')).toBeTruthy();
    expect(requests(secondFactor.beginSecondFactor)[0]?.body).toEqual({ password: '' });
  });
});

describe('OVW-06 the Cloud Users card', () => {
  test.each([
    ['user', 0],
    ['admin', 1],
  ] as const)('counts who is signed in, and has %s: %i links', async (role, links) => {
    const { open, respond } = startConsole({ role });
    respond(accounts.loginStatus, { result: { allUserNum: 5, onlineUserNum: 2, offlineUserNum: 3 } });
    await open('/dashboard');
    const card = within(screen.getByRole('region', { name: 'Cloud Users' }));
    expect(await card.findByText(/2 online/u)).toBeTruthy();
    expect(card.getByText(/3 offline/u)).toBeTruthy();
    expect(card.queryAllByRole('link').map((link) => link.getAttribute('href'))).toEqual(
      Array.from({ length: links }, () => '/users'),
    );
  });
});
