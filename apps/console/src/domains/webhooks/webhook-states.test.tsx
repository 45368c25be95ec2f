import { webhooks } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { example, startConsole } from '../../testing/console.tsx';

test.each([
  { path: '/webhooks', call: webhooks.listWebhooks, shows: 'Fleet bot', empty: /No Records\.|No webhooks/u },
  { path: '/webhooks/log?webhook=one', call: webhooks.listDeliveries, shows: undefined, empty: /No Records\./u },
])('HKS-01-partial $path loads, fails, is tried again and is empty', async ({ path, call, shows, empty }) => {
  const { open, sendList, hold, fail, user, loaded } = startConsole();
  const release = hold(call);
  fail(call, 'server.busy');
  const opened = open(path);
  await expect.poll(() => document.querySelector('[aria-busy="true"]')).not.toBeNull();
  expect(screen.queryByText(empty)).toBeNull();
  release();
  await opened;
  expect((await screen.findByRole('alert')).textContent).toContain('The server is busy. Try again in a moment.');
  sendList(webhooks.listWebhooks, shows === undefined ? [] : [{ name: shows }]);
  if (call === webhooks.listDeliveries) sendList(webhooks.listDeliveries, []);
  await user.click(screen.getByRole('button', { name: 'Retry' }));
  await loaded();
  expect(screen.getByText(shows ?? empty)).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('HKS-01-partial the log of a webhook that is not there, or is of another organization, says so', async () => {
  const { open, fail } = startConsole();
  fail(webhooks.showWebhook, 'webhook.not_found');
  fail(webhooks.listDeliveries, 'webhook.not_found');
  await open('/webhooks/log?webhook=gone');
  expect((await screen.findAllByRole('alert'))[0]?.textContent).toContain('This webhook no longer exists.');
});

test.each([
  ['new', null, false],
  ['renewed', '2026-11-24T15:30:00Z', true],
])(
  'HKS-01-partial the %s secret is shown once, and says until when the one before it is valid too',
  async (_, until, isNamed) => {
    const { open, respond, user } = startConsole();
    const { result, secret } = example(webhooks.rotateWebhookSecret);
    respond(webhooks.rotateWebhookSecret, { result: { ...result, previousUntil: until }, secret });
    await open(`/webhooks/log?webhook=${result.id}`);
    await user.click(await screen.findByRole('button', { name: 'Rotate secret' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Rotate secret' }));
    const dialog = await screen.findByRole('dialog');
    expect(dialog.textContent).toContain(secret);
    expect(dialog.textContent.includes('11/24/2026 09:30:00')).toBe(isNamed);
  },
);

test('HKS-01-partial the form says that the stored key stays only while the origin of the address is the same', async () => {
  const { open, respond, fail, user, fill } = startConsole();
  const { result: stored } = example(webhooks.showWebhook);
  respond(webhooks.showWebhook, { result: { ...stored, format: 'opsgenie', url: 'https://api.opsgenie.com/v2/alerts' } });
  await open(`/webhooks/log?webhook=${stored.id}`);
  await user.click(await screen.findByRole('button', { name: 'Edit' }));
  const dialog = within(await screen.findByRole('dialog'));
  const [stays, leaves] = ['Leave empty to keep the stored key.', /The address is of another server: enter its key\./u];
  expect(dialog.getByText(stays)).toBeTruthy();
  const address = dialog.getByLabelText(/^Address/u);
  await fill(address, 'https://api.opsgenie.com/v2/other');
  expect(dialog.getByText(stays)).toBeTruthy();
  await fill(address, 'https://api.eu.opsgenie.com/v2/alerts');
  expect(dialog.queryByText(stays)).toBeNull();
  expect(dialog.getByText(leaves)).toBeTruthy();
  fail(webhooks.saveWebhook, 'webhook.key_missing');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText('Enter the key that the receiver has issued.')).toBeTruthy();
});

test('HKS-01-partial a webhook that someone else changed meanwhile is not overwritten unseen', async () => {
  const { open, respond, fail, push, requests, user, fill, loaded } = startConsole();
  const { result: stored } = example(webhooks.showWebhook);
  const now = (parts: Partial<webhooks.Webhook>) => respond(webhooks.showWebhook, { result: { ...stored, ...parts } });
  now({ name: 'Dispatch', version: '3' });
  await open(`/webhooks/log?webhook=${stored.id}`);
  await user.click(await screen.findByRole('button', { name: 'Edit' }));
  const dialog = within(await screen.findByRole('dialog'));
  const save = () => user.click(dialog.getByRole('button', { name: 'Save' }));
  await fill(dialog.getByLabelText(/^Name/u), 'Mine');
  now({ name: 'Theirs', version: '4' });
  push('webhooks');
  await loaded();
  fail(webhooks.saveWebhook, 'conflict.stale');
  await save();
  const message = await screen.findByRole('alertdialog');
  expect(message.textContent).toContain('Someone else changed this webhook.');
  await user.click(within(message).getByRole('button', { name: 'OK' }));
  respond(webhooks.saveWebhook, { result: stored });
  await save();
  await expect.poll(() => requests(webhooks.saveWebhook)).toHaveLength(2);
  expect(requests(webhooks.saveWebhook).map(({ ifMatch }) => ifMatch)).toEqual(['"3"', '"4"']);
});
