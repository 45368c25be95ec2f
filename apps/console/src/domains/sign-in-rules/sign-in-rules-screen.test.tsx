// @vitest-environment happy-dom
import { signInPolicy } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { button, Failed, startConsole } from '../../testing/console.tsx';

const policy = {
  needsFactor: false,
  idleMinutes: 720,
  lifetimeHours: 168,
  ranges: [],
  excepted: [],
  address: '198.51.100.7',
  people: 4,
  withoutFactor: 3,
  by: null,
  version: '0',
};

test('IAM-06-partial the rules load, fail, are tried again and saved with their version', async () => {
  const { open, hold, fail, respond, requests, user } = startConsole({ role: 'admin' });
  const release = hold(signInPolicy.getPolicy);
  fail(signInPolicy.getPolicy, 'server.busy');
  await open('/sign-in-rules');
  release();
  expect((await screen.findByRole('alert')).textContent).toContain('The server is busy. Try again in a moment.');
  respond(signInPolicy.getPolicy, { result: policy });
  await user.click(button('Retry'));
  await user.click(await screen.findByRole('checkbox', { name: 'Require a second factor' }));
  expect(screen.getByText('3 of 4 people have no second factor yet.')).toBeTruthy();
  await user.selectOptions(screen.getByLabelText('Sign out after no use for'), '30 minutes');
  await user.selectOptions(screen.getByLabelText('Sign out at the latest after'), '12 hours');
  respond(signInPolicy.savePolicy, { result: { ...policy, needsFactor: true, version: '1' } });
  await user.click(button('Save'));
  await expect
    .poll(() => requests(signInPolicy.savePolicy)[0]?.body)
    .toEqual({ needsFactor: true, idleMinutes: 30, lifetimeHours: 12, ranges: [], excepted: [] });
  expect(await screen.findByText('The rules were saved.')).toBeTruthy();
});

test('IAM-06-partial networks that exclude the own address are saved only when that is confirmed', async () => {
  const { open, respond, requests, user } = startConsole({ role: 'main' });
  respond(signInPolicy.getPolicy, { result: policy });
  await open('/sign-in-rules');
  await user.type(await screen.findByLabelText(/^Allowed networks/u), '203.0.113.0/24，2001:db8::/32');
  await user.type(screen.getByLabelText(/^Admins who can sign in from everywhere/u), 'ana@lakeshore.example');
  respond(signInPolicy.savePolicy, ({ body }) =>
    body.confirmed === true
      ? { result: { ...policy, version: '1' } }
      : new Failed('policy.excludes_you', { detail: { address: '198.51.100.7' } }),
  );
  await user.click(button('Save'));
  let dialog = within(await screen.findByRole('alertdialog'));
  expect(dialog.getByText(/Your own address 198\.51\.100\.7 is not in these networks\./u)).toBeTruthy();
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await expect.poll(() => requests(signInPolicy.savePolicy)).toHaveLength(1);
  await user.click(button('Save'));
  dialog = within(await screen.findByRole('alertdialog'));
  await user.click(dialog.getByRole('button', { name: 'Save all the same' }));
  await expect
    .poll(() => requests(signInPolicy.savePolicy).at(-1)?.body)
    .toMatchObject({ confirmed: true, ranges: ['203.0.113.0/24', '2001:db8::/32'], excepted: ['ana@lakeshore.example'] });
});
