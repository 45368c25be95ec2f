import { webhooks } from '@highline/contract';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startConsole } from '../../testing/console.tsx';

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
