// @vitest-environment happy-dom
import { scim } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { button, startConsole } from '../../testing/console.tsx';

const empty = {
  address: 'https://fleet.example/scim/v2',
  secrets: [],
  defaultRole: 'user' as const,
  groups: [],
  calls: [],
  version: '0',
};
const state = {
  ...empty,
  secrets: [
    {
      id: '01990000-0000-7000-8000-000000000001',
      name: 'Entra ID',
      hint: 'hls_ab12…9xYz',
      by: 'admin@lakeshore.example',
      created: '2026-11-23T09:27:00Z',
      expires: '2099-11-23T09:27:00Z',
      expired: false,
      lastUsed: '2026-11-24T09:27:00Z',
      lastAddress: '203.0.113.7',
    },
  ],
  groups: [
    { id: '01990000-0000-7000-8000-000000000002', name: 'Fleet admins', role: null, people: 2 },
    { id: '01990000-0000-7000-8000-000000000003', name: 'Drivers', role: 'user' as const, people: 1 },
  ],
  calls: [
    {
      at: '2026-11-24T09:27:00Z',
      method: 'POST',
      path: '/Users',
      status: 409,
      detail: 'This name or address is taken.',
      address: '203.0.113.7',
    },
    { at: '2026-11-24T09:26:00Z', method: 'PATCH', path: '/Users/1', status: 200, detail: '', address: '203.0.113.7' },
  ],
};
const PAGE = '/identity-providers/directory';

test('IAM-02-partial the page of the directory loads, fails, is tried again, and makes the first secret', async () => {
  const { open, hold, fail, respond, requests, user } = startConsole({ role: 'admin' });
  const release = hold(scim.getDirectory);
  fail(scim.getDirectory, 'server.busy');
  await open(PAGE);
  release();
  expect((await screen.findByRole('alert')).textContent).toContain('The server is busy. Try again in a moment.');
  respond(scim.getDirectory, { result: empty });
  await user.click(button('Retry'));
  expect(await screen.findByText('https://fleet.example/scim/v2')).toBeTruthy();
  expect(screen.getByText('No directory can call yet. Make a secret and enter it there.')).toBeTruthy();
  expect(screen.getByText('The directory has not called yet.')).toBeTruthy();
  await user.click(button('Make a secret'));
  const dialog = within(await screen.findByRole('dialog'));
  await user.type(dialog.getByLabelText(/^Name/u), 'Okta');
  await user.selectOptions(dialog.getByLabelText('Expires after'), '90 days');
  respond(scim.createDirectorySecret, { result: state, secret: 'hls_secret' });
  await user.click(dialog.getByRole('button', { name: 'Make' }));
  await expect.poll(() => requests(scim.createDirectorySecret)[0]?.body).toEqual({ name: 'Okta', days: 90 });
  expect(await screen.findByText('hls_secret')).toBeTruthy();
});

test('IAM-02-partial it shows secrets and the last calls as text, and a secret is revoked once that is confirmed', async () => {
  const { open, respond, requests, user } = startConsole({ role: 'admin' });
  respond(scim.getDirectory, { result: state });
  await open(PAGE);
  expect(await screen.findByText('hls_ab12…9xYz')).toBeTruthy();
  expect(screen.getByText('Rejected (409)')).toBeTruthy();
  expect(screen.getByText('This name or address is taken.')).toBeTruthy();
  expect(screen.getByText('Done (200)')).toBeTruthy();
  respond(scim.revokeDirectorySecret, { result: empty });
  await user.click(button('Revoke'));
  const dialog = within(await screen.findByRole('alertdialog'));
  expect(dialog.getByText(/This action is permanent and cannot be undone\.$/u)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Revoke' }));
  await expect.poll(() => requests(scim.revokeDirectorySecret)[0]?.params).toEqual({ secret: state.secrets[0]!.id });
});

test('IAM-02-partial the role of each group is chosen', async () => {
  const { open, respond, requests, user } = startConsole({ role: 'admin' });
  respond(scim.getDirectory, { result: state });
  await open(PAGE);
  await user.selectOptions(await screen.findByLabelText('Role of Fleet admins'), 'Admin');
  await user.selectOptions(screen.getByLabelText('People in no group with a role'), 'No access');
  respond(scim.saveDirectoryRoles, { result: { ...state, version: '1' } });
  await user.click(button('Save'));
  await expect
    .poll(() => requests(scim.saveDirectoryRoles)[0]?.body)
    .toEqual({
      defaultRole: 'none',
      groups: [
        { id: state.groups[0]!.id, role: 'admin' },
        { id: state.groups[1]!.id, role: 'user' },
      ],
    });
  expect(await screen.findByText('The roles were saved.')).toBeTruthy();
});
