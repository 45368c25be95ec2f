import { groups } from '@highline/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { example, row, rowsOf, startConsole } from '../../../testing/console.tsx';

const group = { group: 'north', groupName: 'North', description: '', deviceCount: 1 };
const details = { ...example(groups.getGroup).result, ...group };

test('OLD-01-partial an admin gives a user Full Control of a group, and Only Read', async () => {
  const { open, respond, hold, user, requests, push } = startConsole();
  respond(groups.getGroup, { result: details });
  const set = (control: groups.GroupControl) =>
    respond(groups.listControls, { result: [{ id: 'lee', email: 'lee@lakeshore.example', name: 'Lee', control }], next: null });
  respond(groups.changeControl, ({ body }) => {
    set(body.control);
    push('groups');
    return { result: { control: body.control } };
  });
  set('read');
  await open('/groups/detail?group=north');
  const panel = within(screen.getByRole('region', { name: 'Permissions' }));
  expect(await panel.findByText(/^0 users can change this group\./u)).toBeTruthy();
  expect(panel.queryByRole('combobox')).toBeNull();
  await user.click(panel.getByRole('button', { name: 'Edit' }));
  const choice = panel.getByLabelText<HTMLSelectElement>('Permission of lee@lakeshore.example');
  const release = hold(groups.changeControl);
  await user.selectOptions(choice, 'Full Control');
  await waitFor(() => expect(choice.getAttribute('aria-busy')).toBe('true'));
  // A field that is disabled while it is saved loses the focus.
  expect(choice.disabled).toBe(false);
  release();
  expect(await panel.findByText(/^1 user can change this group\./u)).toBeTruthy();
  await user.selectOptions(choice, 'Only Read');
  await waitFor(() => expect(choice.value).toBe('read'));
  expect(requests(groups.changeControl).map(({ params, body }) => [params.group, body])).toEqual([
    ['north', { account: 'lee', control: 'full' }],
    ['north', { account: 'lee', control: 'read' }],
  ]);
});

test('OLD-01-partial SHR-04-partial a user with Full Control changes description and devices, which marks its row on the list behind the dialog, and learns that it was taken meanwhile', async () => {
  const { open, respond, sendList, fail, user, requests } = startConsole({ role: 'user' });
  sendList(groups.listGroups, [group]);
  respond(groups.getGroup, { result: { ...details, control: 'full' } });
  const rows = rowsOf(groups.listMembers, [{ device: 'bus', serial_number: 'HL-1', movable: true }]);
  respond(groups.listMembers, ({ params }) => {
    const result = params.group === 'north' ? [] : [...rows];
    return { ...example(groups.listMembers), result, total: result.length };
  });
  await open('/groups/list');
  await user.click(screen.getByText('North'));
  await user.click(await screen.findByRole('button', { name: 'Edit group' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Edit North' }));
  expect(dialog.getByText('Only admins can change firmware, config file and schedule.')).toBeTruthy();
  await user.type(dialog.getByLabelText('Description'), 'night buses');
  await user.click(dialog.getByRole('button', { name: 'Devices Edit' }));
  const move = within(screen.getByRole('dialog', { name: 'Devices of North' }));
  await user.click(within(await move.findByRole('row', { name: /HL-1/u })).getByRole('checkbox'));
  await user.click(move.getByRole('button', { name: 'Move into group' }));
  await user.click(move.getByRole('button', { name: 'Save' }));
  expect(dialog.getByText('+1 / −0 devices')).toBeTruthy();
  fail(groups.saveWholeGroup, 'permission.denied');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Permission denied')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'OK' }));
  const saved = example(groups.saveWholeGroup);
  respond(groups.saveWholeGroup, { ...saved, result: { ...saved.result, group: 'north' } });
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Edit success')).toBeTruthy();
  await expect.poll(() => row('North').dataset['highlighted']).toBeDefined();
  expect(requests(groups.saveWholeGroup).at(-1)?.body).toEqual({
    group: 'north',
    is_postpone: false,
    description: 'night buses',
    add: ['bus'],
  });
});
