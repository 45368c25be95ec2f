// @vitest-environment happy-dom
import { approvals } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { Failed, startConsole } from '../../testing/console.tsx';

const policy = { rolloutsAbove: null, factoryReset: false, settings: false, deletion: false, people: 3, by: null, version: '0' };
const request: approvals.Approval = {
  id: 'one',
  rule: 'rollouts',
  state: 'waiting',
  acts: [{ key: 'approval.act_bind', params: [{ key: 'part.firmware', params: ['3.1.0'] }, 'North depot'] }],
  routers: 120,
  names: ['Bus 1', 'Bus 2'],
  confirmation: 'seen',
  by: 'ben@lakeshore.example',
  requester: { kind: 'support', role: 'admin', ownRole: null, company: 'Highline Cellular' },
  mayDecide: true,
  isOwn: false,
  created: '2026-11-23T09:00:00Z',
  expires: '2026-11-30T09:00:00Z',
  decided: null,
  decidedBy: null,
  reason: '',
};
const listOf = (...list: approvals.Approval[]) => ({ result: list, total: list.length, offset: 0, next: null, previous: null });
const button = (name: string | RegExp) => screen.getByRole('button', { name });

test('IAM-07 a second person sees what a request would touch, and approves exactly that', async () => {
  const { open, respond, requests, user } = startConsole();
  respond(approvals.listApprovals, listOf(request));
  await open('/approvals');
  await user.click(await screen.findByRole('button', { name: /^Open the request: Bind firmware 3\.1\.0/u }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Rollout' }));
  expect(dialog.getByText(/120 routers: Bus 1, Bus 2 and 118 more/u)).toBeTruthy();
  expect(dialog.getByText(/Requested by ben@lakeshore\.example \(Support as Admin · Highline Cellular\) on/u)).toBeTruthy();
  respond(approvals.decideApproval, () => new Failed('approval.changed'));
  respond(approvals.listApprovals, listOf({ ...request, routers: 121, confirmation: 'changed' }));
  await user.click(dialog.getByRole('button', { name: 'Approve and do it' }));
  expect((await dialog.findByRole('alert')).textContent).toBe('What this would touch has changed since. Check it again.');
  expect(await dialog.findByText(/121 routers:/u)).toBeTruthy();
  respond(approvals.decideApproval, { result: { ...request, state: 'approved' } });
  await user.click(dialog.getByRole('button', { name: 'Approve and do it' }));
  expect(await screen.findByText('Approved. It was done.')).toBeTruthy();
  expect(requests(approvals.decideApproval).map(({ body }) => body)).toEqual([
    { decision: 'approve', confirmation: 'seen' },
    { decision: 'approve', confirmation: 'changed' },
  ]);
});

test('IAM-07 a rejection says why; an own request can only be withdrawn', async () => {
  const { open, respond, requests, user } = startConsole();
  respond(approvals.listApprovals, listOf(request, { ...request, id: 'two', isOwn: true, mayDecide: false }));
  await open('/approvals');
  await user.click((await screen.findAllByRole('button', { name: /^Open the request/u }))[0]!);
  await user.click(button('Reject'));
  expect(screen.getByRole('alert').textContent).toBe('Enter a reason for the person who requested it.');
  await user.type(screen.getByLabelText(/^Reason/u), 'Not before the weekend');
  respond(approvals.decideApproval, { result: { ...request, state: 'rejected' } });
  await user.click(button('Reject'));
  expect(await screen.findByText('The request was rejected.')).toBeTruthy();
  await user.click(screen.getAllByRole('button', { name: /^Open the request/u })[1]!);
  expect(screen.queryByRole('button', { name: 'Approve and do it' })).toBeNull();
  await user.click(button('Withdraw'));
  await expect
    .poll(() => requests(approvals.decideApproval).map(({ body }) => body))
    .toEqual([{ decision: 'reject', reason: 'Not before the weekend' }, { decision: 'withdraw' }]);
});

test('IAM-07 an admin chooses what waits, with the own password; less waits only after a second person approved', async () => {
  const { open, respond, requests, user } = startConsole();
  respond(approvals.listApprovals, listOf());
  respond(approvals.getApprovalPolicy, { result: policy });
  await open('/approvals');
  await user.click(button('What waits'));
  await user.click(await screen.findByRole('checkbox', { name: 'Rollouts to many routers' }));
  const above = screen.getByLabelText('To more than so many routers');
  await user.clear(above);
  await user.click(button('Save'));
  expect(screen.getByText('Enter a number from 0 to 1,000,000.')).toBeTruthy();
  await user.type(above, '20');
  respond(approvals.saveApprovalPolicy, () => new Failed('account.wrong_password'));
  await user.click(button('Save'));
  await expect.poll(() => screen.getByLabelText(/^Your password/u).getAttribute('aria-invalid')).toBe('true');
  await user.type(screen.getByLabelText(/^Your password/u), 'secret');
  respond(approvals.saveApprovalPolicy, () => new Failed('approval.waiting'));
  await user.click(button('Save'));
  expect(await screen.findByText('The change waits for a second person.')).toBeTruthy();
  expect(requests(approvals.saveApprovalPolicy).at(-1)?.body).toEqual({
    rolloutsAbove: 20,
    factoryReset: false,
    settings: false,
    deletion: false,
    password: 'secret',
  });
});

test('IAM-07-partial a main account chooses only whether deletions of organizations wait', async () => {
  const { open, respond, user } = startConsole({ role: 'main' });
  respond(approvals.listApprovals, listOf());
  respond(approvals.getApprovalPolicy, { result: policy });
  await open('/approvals');
  await user.click(button('What waits'));
  expect(await screen.findByRole('checkbox', { name: 'Deleting an organization' })).toBeTruthy();
  expect(screen.queryByRole('checkbox', { name: 'Factory resets' })).toBeNull();
});
