import { identityProviders as calls } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { button, startConsole } from '../../testing/console.tsx';

const provider = {
  id: '01990000-0000-7000-8000-000000000001',
  org: '01990000-0000-7000-8000-000000000002',
  orgName: 'Lakeshore Transit',
  name: 'Entra ID',
  issuer: 'https://login.example.com/v2.0',
  clientId: 'highline',
  scopes: 'openid email profile',
  enabled: true,
  trustsEmail: true,
  rules: [{ claim: 'groups', value: 'fleet', role: 'user' as const }],
  defaultRole: 'none' as const,
  required: false,
  breakGlass: [],
  domains: [{ domain: 'lakeshore.example', confirmed: null, text: 'highline-domain=abc' }],
  people: 3,
  created: '2026-11-23T09:27:00Z',
  by: 'admin@lakeshore.example',
  version: '4',
};

test('IAM-01-partial the page of identity providers loads, fails, is tried again and is empty', async () => {
  const { open, sendList, hold, fail, user, loaded } = startConsole({ role: 'admin' });
  const release = hold(calls.listProviders);
  fail(calls.listProviders, 'server.busy');
  const opened = open('/identity-providers');
  await expect.poll(() => document.querySelector('[aria-busy="true"]')).not.toBeNull();
  release();
  await opened;
  expect((await screen.findByRole('alert')).textContent).toContain('The server is busy. Try again in a moment.');
  sendList(calls.listProviders, []);
  await user.click(button('Retry'));
  await loaded();
  expect(button('Add the first identity provider')).toBeTruthy();
});

test('IAM-01-partial a provider is added with its rules', async () => {
  const { open, sendList, respond, requests, user } = startConsole({ role: 'admin' });
  sendList(calls.listProviders, []);
  await open('/identity-providers');
  await user.click(button('Add the first identity provider'));
  const dialog = within(await screen.findByRole('dialog'));
  const type = async (label: string | RegExp, text: string) => user.type(dialog.getByLabelText(label), text);
  await type(/^Name/u, 'Entra ID');
  await type(/^Issuer/u, 'https://login.example.com/v2.0');
  await type(/^Client ID/u, 'highline');
  await type(/^Client secret/u, 's3cret');
  await type(/^Email domains/u, 'lakeshore.example、depot.example');
  await user.click(dialog.getByRole('button', { name: 'Add a rule' }));
  await type('Value', 'fleet');
  await type('Sees only', 'Depot North, #cold');
  respond(calls.createProvider, { result: provider });
  await user.click(dialog.getByRole('button', { name: 'Add' }));
  await expect
    .poll(() => requests(calls.createProvider)[0]?.body)
    .toMatchObject({
      name: 'Entra ID',
      clientSecret: 's3cret',
      domains: ['lakeshore.example', 'depot.example'],
      rules: [{ claim: 'groups', value: 'fleet', role: 'user', limit: { groups: ['Depot North'], tags: ['cold'] } }],
      breakGlass: [],
    });
  expect(await screen.findByText('highline-domain=abc')).toBeTruthy();
});

test('IAM-01-partial a provider shows what to enter there, confirms its domain, and says what is wrong with the connection', async () => {
  const { open, sendList, respond, requests, fail, user } = startConsole({ role: 'admin' });
  sendList(calls.listProviders, [provider]);
  await open('/identity-providers');
  expect(screen.getByText('No confirmed domain')).toBeTruthy();
  await user.click(button('Entra ID'));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(`${location.origin}/console/oidc/callback`)).toBeTruthy();
  expect(dialog.getByText(`${location.origin}/dmp_aa/api/v1/auth/provider/${provider.id}/logout`)).toBeTruthy();

  respond(calls.testProvider, {
    result: [
      { step: 'discovery', outcome: 'ok', reason: 'ok', detail: '' },
      { step: 'issuer', outcome: 'failed', reason: 'differs', detail: 'https://login.example.com/other' },
      { step: 'logout', outcome: 'warning', reason: 'unsupported', detail: '' },
    ],
  });
  await user.click(dialog.getByRole('button', { name: 'Test the connection' }));
  expect(
    await dialog.findByText('The provider calls itself https://login.example.com/other. Enter exactly this as issuer.'),
  ).toBeTruthy();

  fail(calls.confirmDomain, 'provider.domain_unproven');
  await user.click(dialog.getByRole('button', { name: 'Check record' }));
  expect(await screen.findByText(/The DNS record was not found/u)).toBeTruthy();
  await user.click(button('OK'));
  respond(calls.confirmDomain, { result: { ...provider, domains: [{ ...provider.domains[0]!, confirmed: 'dns' }] } });
  await user.click(dialog.getByRole('button', { name: 'Check record' }));
  expect(await screen.findByText('Confirmed by DNS')).toBeTruthy();
  expect(requests(calls.confirmDomain).at(-1)?.params).toEqual({ provider: provider.id, domain: 'lakeshore.example' });
});

test('IAM-01-partial the main account assigns domains to a provider of an organization, and changes nothing else of it', async () => {
  const { open, sendList, respond, requests, user } = startConsole({ role: 'main' });
  sendList(calls.listProviders, [provider]);
  await open('/identity-providers');
  expect(screen.getByText('Lakeshore Transit')).toBeTruthy();
  await user.click(button('Entra ID'));
  expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull();
  respond(calls.assignDomain, { result: { ...provider, domains: [{ ...provider.domains[0]!, confirmed: 'assigned' }] } });
  await user.click(button('Assign'));
  expect(await screen.findByText('Assigned by the main account')).toBeTruthy();
  expect(requests(calls.assignDomain)[0]).toMatchObject({ body: { assigned: true } });
});

test('IAM-01-partial the form says that the stored client secret stays only while the issuer is the same', async () => {
  const { open, sendList, fail, fill, user } = startConsole({ role: 'admin' });
  sendList(calls.listProviders, [provider]);
  await open('/identity-providers');
  await user.click(button('Entra ID'));
  await user.click(button('Edit'));
  const issuer = await screen.findByLabelText(/^Issuer/u);
  expect(screen.getByText('Leave empty to keep the stored secret.')).toBeTruthy();
  await fill(issuer, 'https://login.example.org/v2.0');
  expect(screen.queryByText('Leave empty to keep the stored secret.')).toBeNull();
  expect(screen.getByText(/^The issuer is another one: enter the client secret/u)).toBeTruthy();
  fail(calls.saveProvider, 'provider.secret_missing');
  await user.click(button('Save'));
  expect(await screen.findByText('The issuer is another one. Enter the client secret that it has issued.')).toBeTruthy();
});

test('IAM-01-partial sign-in by the provider only needs an admin who can do without it', async () => {
  const { open, sendList, fail, respond, requests, user } = startConsole({ role: 'admin' });
  sendList(calls.listProviders, [provider]);
  await open('/identity-providers');
  await user.click(button('Entra ID'));
  await user.click(button('Edit'));
  await user.click(await screen.findByLabelText('People must sign in by it, and not by password'));
  fail(calls.saveProvider, 'provider.break_glass_missing');
  await user.click(button('Save'));
  expect(await screen.findByText(/Enter at least one admin with a password/u)).toBeTruthy();
  await user.type(screen.getByLabelText(/^Admins who can always/u), 'owner@lakeshore.example');
  respond(calls.saveProvider, { result: { ...provider, required: true, version: '5' } });
  await user.click(button('Save'));
  await expect
    .poll(() => requests(calls.saveProvider).at(-1)?.body)
    .toMatchObject({ required: true, breakGlass: ['owner@lakeshore.example'] });
  expect(requests(calls.saveProvider).at(-1)?.body).not.toHaveProperty('clientSecret');
});

test('IAM-01-partial IAM-08-partial a user is shown that the page is closed to users', async () => {
  const { open } = startConsole({ role: 'user' });
  await open('/identity-providers');
  expect(await screen.findByRole('heading', { level: 1, name: 'Your role may not open this page' })).toBeTruthy();
});
