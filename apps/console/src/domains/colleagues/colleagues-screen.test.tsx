import { accounts, colleagues, leaves, secondFactor } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { button, example, isDisabled, row, startConsole } from '../../testing/console.tsx';

const ALONE = /^You're the only person here\./u;
const self = {
  id: example(accounts.introspect).result.id,
  name: 'Ana Ruiz',
  email: 'ana@lakeshore.example',
  signedIn: 1_795_000_000,
  invitation: null,
  secondFactor: true,
};
const sent = Date.parse('2026-11-23T15:00:00Z') / 1000;
const kim = { ...self, id: 'kim', name: 'Kim Lee', email: 'kim@lakeshore.example', secondFactor: false };
const invited = { ...kim, signedIn: null, invitation: { sent, expires: sent + 604_800 } };

test('a colleague is invited with name and address, after faults at their fields, and the invitation is sent again', async () => {
  const { open, fail, respond, sendList, requests, user } = startConsole({ role: 'main' });
  sendList(colleagues.listColleagues, [self]);
  await open('/colleagues');
  expect(screen.getByText(ALONE)).toBeTruthy();
  await user.click(button('Add'));
  const dialog = within(screen.getByRole('dialog', { name: 'Add a colleague' }));
  const name = dialog.getByRole('textbox', { name: 'Name' });
  const email = dialog.getByRole('textbox', { name: 'Email' });
  const add = dialog.getByRole('button', { name: 'Add' });
  expect(isDisabled(add)).toBe(true);
  await user.click(name);
  await user.click(email);
  expect(dialog.getByText('Please enter the Name')).toBeTruthy();
  await user.type(name, 'Kim Lee');
  fail(colleagues.inviteColleague, 'account.exists');
  for (const [typed, message] of [
    ['kim at home', 'The account is not vaild'],
    ['taken@lakeshore.example', 'Account already exists'],
    ['Ana@Lakeshore.example', 'This is your own account.'],
  ] as const) {
    await user.clear(email);
    await user.type(email, typed);
    await user.click(add);
    expect(await dialog.findByText(message)).toBeTruthy();
    await expect.poll(() => document.activeElement).toBe(email);
  }
  await user.clear(email);
  await user.type(email, kim.email.toUpperCase());
  respond(colleagues.inviteColleague, example(colleagues.inviteColleague));
  sendList(colleagues.listColleagues, [self, invited]);
  await user.click(add);
  expect(await screen.findByText(`An invitation is on its way to ${kim.email}.`)).toBeTruthy();
  expect(requests(colleagues.inviteColleague).at(-1)?.body).toEqual({ name: 'Kim Lee', email: kim.email, language: 'en-US' });
  expect(row(kim.email).textContent).toContain('not accepted yet');
  expect(screen.queryByText(ALONE)).toBeNull();
  await user.click(button(`Send again: ${kim.email}`));
  await expect.poll(() => requests(accounts.sendInvitation).map(({ params }) => params.id)).toEqual(['kim']);
});

test('a lost second factor of a colleague is reset after a question, which the own one is not; a deletion is the own account’s neither', async () => {
  const { open, sendList, requests, user } = startConsole({ role: 'main' });
  sendList(colleagues.listColleagues, [self, { ...kim, secondFactor: true }]);
  await open('/colleagues');
  const reset = `Reset the second factor: ${kim.email}`;
  expect(screen.getAllByRole('button', { name: /^Reset/u }).map((each) => each.getAttribute('aria-label'))).toEqual([reset]);
  await user.click(button(reset));
  sendList(colleagues.listColleagues, [self, kim]);
  await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Reset the second factor' }));
  await expect.poll(() => row(kim.email).textContent).toContain('Off');
  expect(requests(secondFactor.resetSecondFactor).map(({ params }) => params.id)).toEqual(['kim']);

  await user.click(button('Delete'));
  expect(isDisabled(within(row(self.email)).getByRole('checkbox'))).toBe(true);
  await user.click(within(row(kim.email)).getByRole('checkbox'));
  await user.click(button('Delete(1)'));
  const question = await screen.findByRole('alertdialog');
  expect(question.textContent).toContain(kim.email);
  sendList(colleagues.listColleagues, [self]);
  await user.click(within(question).getByRole('button', { name: 'Delete' }));
  expect(await screen.findByText(ALONE)).toBeTruthy();
  expect(requests(colleagues.deleteColleague).map(({ params }) => params.id)).toEqual(['kim']);
});

test('NAV-07-partial in Chinese the question before a deletion has the joints of Chinese', async () => {
  const { open, respond, sendList, user } = startConsole({ role: 'main', language: 'zh-TW' });
  sendList(colleagues.listColleagues, [self, kim]);
  const left = [
    { kind: 'jobs', count: 2 },
    { kind: 'keys', count: 1 },
  ] as const;
  respond(leaves.listLeaves, { result: { id: kim.id, leaves: [...left] } });
  await open('/colleagues');
  await user.click(button('刪除'));
  await user.click(within(row(kim.email)).getByRole('checkbox'));
  await user.click(button('刪除（1）'));
  const question = await screen.findByRole('alertdialog');
  expect(question.textContent).toContain('且無法再次登入。以下項目');
  expect(question.textContent).toContain('2 個執行中的工作、1 把 API 金鑰。');
});
