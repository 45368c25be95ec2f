// @vitest-environment happy-dom
import { accounts, devices, groups, routerBackups, routerPasswords, signInPolicy, visits } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { example, startConsole } from '../../testing/console.tsx';

const support: visits.Visit = {
  id: 'one',
  kind: 'support',
  org: 'lakeshore',
  orgName: 'Lakeshore Transit',
  email: '',
  name: '',
  role: 'admin',
  groups: null,
  by: 'ana@lakeshore.example',
  created: '2026-11-23T09:00:00Z',
  until: null,
  ended: null,
  endedBy: null,
  mayEnter: false,
};
const listOf = (...list: visits.Visit[]) => ({ result: list, total: list.length, offset: 0, next: null, previous: null });

test('IAM-05 an admin lets support in for some hours with a role, sees it, and ends it by one press', async () => {
  const { open, respond, requests, user } = startConsole();
  respond(visits.listVisits, listOf());
  await open('/access');
  await user.click(await screen.findByRole('button', { name: 'Let support in' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Let Highline Cellular in' }));
  await user.selectOptions(dialog.getByLabelText('For'), '8 hours');
  await user.selectOptions(dialog.getByLabelText(/^Role/u), 'User');
  respond(visits.openVisit, { result: support });
  respond(visits.listVisits, listOf(support));
  await user.click(dialog.getByRole('button', { name: 'Let support in' }));
  expect(await screen.findByText('Support may enter now.')).toBeTruthy();
  expect(requests(visits.openVisit)[0]?.body).toEqual({ kind: 'support', role: 'user', hours: 8 });
  await user.click(await screen.findByRole('button', { name: 'End the access of Support' }));
  respond(visits.endVisit, { result: { ...support, ended: '2026-11-23T10:00:00Z' } });
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'End the access' }));
  expect(await screen.findByText('The access has ended.')).toBeTruthy();
});

test('IAM-05 a guest is added with an address, an end, a role and a group', async () => {
  const { open, respond, requests, user } = startConsole();
  respond(visits.listVisits, listOf());
  const [group] = example(groups.listGroups).result;
  respond(groups.listGroups, { result: [{ ...group!, group: 'north', groupName: 'North depot' }], total: 1 });
  await open('/access');
  await user.click(await screen.findByRole('button', { name: 'Add guest' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add a guest' }));
  await user.click(dialog.getByRole('button', { name: 'Add guest' }));
  expect(dialog.getByText('Enter an email address.')).toBeTruthy();
  await user.type(dialog.getByLabelText('Email'), 'gil@workshop.example');
  await user.selectOptions(dialog.getByLabelText('Ends after'), '90 days');
  await user.click(dialog.getByRole('button', { name: 'Add: Only these groups' }));
  await user.click(await screen.findByRole('option', { name: 'North depot' }));
  respond(visits.openVisit, { result: { ...support, kind: 'guest', email: 'gil@workshop.example' } });
  await user.click(dialog.getByRole('button', { name: 'Add guest' }));
  await expect
    .poll(() => requests(visits.openVisit)[0]?.body)
    .toMatchObject({ kind: 'guest', role: 'user', email: 'gil@workshop.example', days: 90, groups: ['north'] });
});

test('IAM-05 every screen says that support is let in, and who acts as support or guest reads so, with a way back', async () => {
  const { open, respond, user, visit } = startConsole();
  const { result } = example(accounts.introspect);
  const admin = {
    ...result,
    role: 'super' as const,
    org: { id: 'lakeshore', name: 'Lakeshore Transit' },
    limitedTo: null,
    ownRole: null,
    vendorName: 'Highline Cellular',
  };
  respond(accounts.introspect, { result: { ...admin, visit: null, support: { id: 'one', until: null } } });
  respond(visits.listVisits, listOf(support));
  await open('/access');
  expect(
    await screen.findByText(/Highline Cellular may act in your organization as support\. Until it is ended\./u),
  ).toBeTruthy();
  respond(visits.endVisit, { result: support });
  respond(accounts.introspect, {
    result: { ...admin, support: null, visit: { kind: 'support', until: null, by: 'ana@lakeshore.example', atHome: false } },
  });
  await user.click(screen.getByRole('button', { name: 'End support' }));
  expect(await screen.findByText(/You act in Lakeshore Transit as support\. ana@lakeshore\.example let you in\./u)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Leave' })).toBeTruthy();
  // IAM-08: what is not the work with vehicles says so, and whom to write to.
  respond(signInPolicy.listAdmins, { result: { list: [{ name: 'Ana Ruiz', email: 'ana@lakeshore.example' }] } });
  await visit('/summaries');
  expect(await screen.findByText('Support and guests work with vehicles, and may not open it.')).toBeTruthy();
  expect(await screen.findByRole('link', { name: 'ana@lakeshore.example' })).toBeTruthy();
});

test('IAM-05-partial support with the role of a user has no buttons of admins, whatever its own role in its main account', async () => {
  const visit = { kind: 'support', until: null, by: 'ana@lakeshore.example', atHome: false } as const;
  const ownRole = { id: 'fleet', name: 'Fleet', rights: ['devices.read', 'devices.write', 'groups.read', 'groups.write'] };
  const { open, visit: goTo } = startConsole({ role: 'user', session: { visit, ownRole } });
  await open('/devices/list');
  expect((await screen.findByRole('button', { name: 'Delete' })).getAttribute('aria-disabled')).toBe('true');
  expect(screen.queryByRole('button', { name: 'Add' })).toBeNull();
  await goTo('/groups/detail?group=north');
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
});

test('IAM-05-partial support with the role of an admin deletes a group, and meets no panel, button or link of what is kept from it', async () => {
  const visit = { kind: 'support', until: null, by: 'ana@lakeshore.example', atHome: false } as const;
  const { open, visit: goTo, respond, fail, sendList, requests, user } = startConsole({ session: { visit } });
  for (const kept of [accounts.listAccounts, groups.listControls, routerPasswords.listRouterPasswords, routerBackups.listBackups])
    fail(kept, 'permission.visitor');
  const north = { group: 'north', groupName: 'North', deviceCount: 0 };
  sendList(groups.listGroups, [north]);
  respond(groups.getGroup, { result: { ...example(groups.getGroup).result, ...north } });
  respond(devices.getDevice, { result: { ...example(devices.getDevice).result, device: 'bus' } });
  await open('/groups/list');
  await user.click(await screen.findByRole('button', { name: 'Delete' }));
  await user.click(await screen.findByRole('checkbox', { name: /North/u }));
  await user.click(screen.getByRole('button', { name: 'Delete(1)' }));
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }));
  await expect.poll(() => requests(groups.deleteGroups)[0]?.body).toMatchObject({ groups: ['north'] });

  await goTo('/groups/detail?group=north');
  await screen.findByRole('button', { name: 'Save' });
  expect(screen.queryByRole('region', { name: 'Permissions' })).toBeNull();
  await goTo('/devices/setting?device=bus&tab=diagnostics');
  await screen.findByRole('region', { name: 'Router agent' });
  expect(screen.queryByRole('region', { name: 'Web page password' })).toBeNull();
  await goTo('/devices/setting?device=bus&tab=settings');
  await screen.findByRole('region', { name: 'Router settings' });
  expect(screen.queryByRole('region', { name: 'Backups of the configuration' })).toBeNull();
  await goTo('/devices/setting?device=bus&tab=clients');
  expect(screen.queryByRole('button', { name: 'Change' })).toBeNull();
  await goTo('/dashboard');
  expect(within(await screen.findByRole('region', { name: 'Cloud Users' })).queryByRole('link')).toBeNull();
  await goTo('/map');
  expect(screen.queryByRole('link', { name: 'Shared links' })).toBeNull();
  expect(requests(accounts.listAccounts)).toEqual([]);
});
