// @vitest-environment happy-dom
import { accounts, devices, groups, roles } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { example, startConsole } from '../../../testing/console.tsx';

const card = () => screen.getByRole('region', { name: 'Vehicles' });

test('IAM-04 an admin limits a user to a group, and sees that without one the user sees nothing', async () => {
  const { open, respond, requests, user } = startConsole();
  const { result } = example(accounts.getAccount);
  respond(accounts.getAccount, { result: { ...result, id: 'rider', limitedTo: null } });
  respond(roles.listRoles, { result: [], total: 0 });
  respond(devices.listTags, { result: [{ tag: 'night', devices: 2 }] });
  const [group] = example(groups.listGroups).result;
  respond(groups.listGroups, { result: [{ ...group!, group: 'north', groupName: 'North depot' }], total: 1 });
  const limitedTo = { groups: [{ id: 'north', name: 'North depot' }], tags: [] };
  respond(accounts.savePersonLimit, { result: { limitedTo } });
  await open('/users/detail?user=rider');
  await user.selectOptions(await screen.findByLabelText('Sees'), 'Only groups and tags');
  expect(within(card()).getByText('Without a group or a tag, this person sees no vehicle.')).toBeTruthy();
  await user.click(within(card()).getByRole('button', { name: 'Add a group' }));
  await user.click(await screen.findByRole('option', { name: 'North depot' }));
  respond(accounts.getAccount, { result: { ...result, id: 'rider', limitedTo } });
  await user.click(within(card()).getByRole('button', { name: 'Save vehicles' }));
  expect(await screen.findByText('The vehicles this person sees were saved.')).toBeTruthy();
  expect(requests(accounts.savePersonLimit)).toMatchObject([
    { params: { id: 'rider' }, body: { limitedTo: { groups: ['north'], tags: [] } } },
  ]);
});

test('IAM-04 who is limited reads it in the header, and has no entries of pages about the whole organization', async () => {
  const { open, respond } = startConsole();
  const { result } = example(accounts.introspect);
  respond(accounts.introspect, {
    result: {
      ...result,
      role: 'super',
      demo: false,
      org: { id: 'lakeshore', name: 'Lakeshore Transit' },
      limitedTo: { groups: [{ id: 'north', name: 'North depot' }], tags: ['night'] },
    },
  });
  await open('/devices/list');
  expect(await screen.findByText('North depot, night only')).toBeTruthy();
  const menu = screen.getByRole('navigation', { name: 'Menu' });
  expect(within(menu).getByRole('link', { name: 'Devices' })).toBeTruthy();
  expect(within(menu).queryByRole('link', { name: 'Logs' })).toBeNull();
});
