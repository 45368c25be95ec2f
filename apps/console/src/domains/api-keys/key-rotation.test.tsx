import { apiKeys } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { example, startConsole } from '../../testing/console.tsx';

test('HKS-02-partial the former secret of a suspended key stays suspended, so rotating asks for no time', async () => {
  const { open, user, sendList, respond, requests } = startConsole({ role: 'admin' });
  sendList(apiKeys.listKeys, [{ id: 'sync', name: 'Fleet sync', state: 'suspended' }]);
  respond(apiKeys.rotateKey, example(apiKeys.rotateKey));
  await open('/api-keys');
  await user.click(await screen.findByRole('button', { name: 'Fleet sync' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Rotate' }));
  const question = within(await screen.findByRole('alertdialog'));
  expect(question.getByText('A new key is shown once. It has your rights. The old key stays suspended.')).toBeTruthy();
  expect(question.queryByRole('button', { name: '24 hours' })).toBeNull();
  await user.click(question.getByRole('button', { name: 'Rotate' }));
  await expect.poll(() => requests(apiKeys.rotateKey)[0]?.body).toMatchObject({ overlapHours: 0 });
});
