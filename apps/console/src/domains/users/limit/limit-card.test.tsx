// @vitest-environment happy-dom
import { accounts, devices, groups, roles, views } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { example, Failed, startConsole } from '../../../testing/console.tsx';

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
  respond(accounts.savePersonLimit, { result: { limitedTo, limitVersion: 'b' } });
  await open('/users/detail?user=rider');
  await user.selectOptions(await screen.findByLabelText('Sees'), 'Only groups and tags');
  expect(within(card()).getByText('Without a group or a tag, this person sees no vehicle.')).toBeTruthy();
  await user.click(within(card()).getByRole('button', { name: 'Add: Groups' }));
  await user.click(await screen.findByRole('option', { name: 'North depot' }));
  respond(accounts.getAccount, { result: { ...result, id: 'rider', limitedTo } });
  await user.click(within(card()).getByRole('button', { name: 'Save vehicles' }));
  expect(await screen.findByText('The vehicles this person sees were saved.')).toBeTruthy();
  expect(requests(accounts.savePersonLimit)).toMatchObject([
    { params: { id: 'rider' }, body: { limitedTo: { groups: ['north'], tags: [] } } },
  ]);
});

test('SHR-06-partial vehicles that were not saved are kept by a question, and are not those of the next person', async () => {
  const { open, respond, requests, user, visit, address } = startConsole();
  const { result } = example(accounts.getAccount);
  const person = (id: string) => ({ result: { ...result, id, name: id, limitedTo: null } });
  respond(accounts.getAccount, ({ params }) => person(params.id));
  respond(roles.listRoles, { result: [], total: 0 });
  const sees = () => screen.findByLabelText<HTMLSelectElement>('Sees');
  await open('/users/detail?user=other');
  await visit('/users/detail?user=rider');
  await user.selectOptions(await sees(), 'Only groups and tags');
  await visit('/users/detail?user=other');
  expect((await sees()).value).toBe('all');
  await user.selectOptions(await sees(), 'Only groups and tags');
  await user.click(screen.getByRole('link', { name: 'Devices' }));
  const question = await screen.findByRole('alertdialog');
  expect(question.textContent).toContain('There are unsaved changes. Do you want to leaving?');
  await user.click(within(question).getByRole('button', { name: 'No' }));
  expect(address()).toBe('/users/detail?user=other');
  expect((await sees()).value).toBe('some');
  expect(requests(accounts.savePersonLimit)).toEqual([]);
});

test('SHR-06-partial IAM-04-partial vehicles that another admin chose meanwhile are said, and replaced only by another save', async () => {
  const { open, respond, requests, user } = startConsole();
  const { result } = example(accounts.getAccount);
  respond(accounts.getAccount, { result: { ...result, id: 'rider', limitedTo: null, limitVersion: 'a' } });
  respond(roles.listRoles, { result: [], total: 0 });
  const theirs = { limitedTo: { groups: [], tags: ['day'] }, limitVersion: 'b' };
  respond(accounts.savePersonLimit, () => new Failed('conflict.stale', { detail: theirs }));
  await open('/users/detail?user=rider');
  await user.selectOptions(await screen.findByLabelText('Sees'), 'Only groups and tags');
  const save = () => user.click(within(card()).getByRole('button', { name: 'Save vehicles' }));
  await save();
  const message = await screen.findByRole('alertdialog');
  expect(message.textContent).toContain('Someone else changed “Vehicles”.');
  await user.click(within(message).getByRole('button', { name: 'OK' }));
  await save();
  await expect.poll(() => requests(accounts.savePersonLimit).map(({ ifMatch }) => ifMatch)).toEqual(['"a"', '"b"']);
});

const savedView = (name: string, search: Record<string, string>): views.SavedView => ({
  ...example(views.listViews).result[0]!,
  id: name,
  list: 'devices',
  name,
  missing: [],
  content: { search, layout: {} },
});

test('IAM-04 the main account limits a person of an organization to what a saved view there consists of; other views say why not', async () => {
  const { open, respond, requests, user } = startConsole({ role: 'main' });
  const { result } = example(accounts.getAccount);
  respond(accounts.getAccount, { result: { ...result, id: 'rider', name: 'Rider', ownRole: null, limitedTo: null } });
  respond(devices.listTags, { result: [] });
  const [group] = example(groups.listGroups).result;
  respond(groups.listGroups, { result: [{ ...group!, group: 'north', groupName: 'North depot' }], total: 1 });
  respond(groups.getGroup, { result: { ...example(groups.getGroup).result, group: 'north', groupName: 'North depot' } });
  const saved = [
    savedView('North', { group: 'north', sort: 'vehicle' }),
    savedView('Night', { tag: 'night' }),
    savedView('Lost', { presence: 'offline' }),
    savedView('Night of the north', { group: 'north', tag: 'night' }),
  ];
  respond(views.listViews, { result: saved });
  await open('/organization/user?org=lakeshore&user=rider');
  await user.selectOptions(await screen.findByLabelText('Sees'), 'Only groups and tags');
  const pick = async (name: string) => {
    await user.click(await within(card()).findByRole('button', { name: 'Add what a saved view shows' }));
    await user.click(await screen.findByRole('option', { name }));
  };
  await pick('Lost');
  expect(within(card()).getByText(/“Lost” has other filters than a group or a tag/u)).toBeTruthy();
  await pick('Night of the north');
  expect(within(card()).getByText(/“Night of the north” shows vehicles of a group that also have a tag/u)).toBeTruthy();
  await pick('North');
  expect(await within(card()).findByRole('button', { name: 'Remove North depot' })).toBeTruthy();
  await pick('Night');
  const limitedTo = { groups: [{ id: 'north', name: 'North depot' }], tags: ['night'] };
  respond(accounts.savePersonLimit, { result: { limitedTo, limitVersion: 'b' } });
  await user.click(within(card()).getByRole('button', { name: 'Save vehicles' }));
  await expect
    .poll(() => requests(accounts.savePersonLimit))
    .toMatchObject([{ params: { id: 'rider' }, body: { limitedTo: { groups: ['north'], tags: ['night'] } } }]);
  // The sidebar has the views of the main account itself.
  const whose = [groups.listGroups, devices.listTags, views.listViews].map((call) =>
    requests(call).map(({ query }) => query.org),
  );
  expect(whose.map((orgs) => new Set(orgs.filter((org) => org !== undefined)))).toEqual(whose.map(() => new Set(['lakeshore'])));
});

test('IAM-04 who is limited reads it in the header, and has no entries of pages about the whole organization', async () => {
  const limitedTo = { groups: [{ id: 'north', name: 'North depot' }], tags: ['night'] };
  const { open } = startConsole({ session: { limitedTo } });
  await open('/devices/list');
  expect(await screen.findByText('North depot, night only')).toBeTruthy();
  const menu = screen.getByRole('navigation', { name: 'Menu' });
  expect(within(menu).getByRole('link', { name: 'Devices' })).toBeTruthy();
  expect(within(menu).queryByRole('link', { name: 'Logs' })).toBeNull();
});
