import { devices, groups, search, views } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { example, Failed, rowsOf, startConsole } from '../../testing/console.tsx';

type View = ReturnType<typeof example<typeof views.addView>>['result'];

const view = (parts: Partial<View> = {}): View => ({
  ...example(views.addView).result,
  id: 'depot',
  list: 'devices',
  name: 'Depot by serial',
  shared: true,
  editable: true,
  isDefault: false,
  missing: [],
  content: { search: { group: 'north', sort: '-serial' }, layout: { columns: { imei: true } } },
  ...parts,
});
const sidebar = () => screen.queryByRole('list', { name: 'Views of this list' });
const named = () =>
  sidebar() === null
    ? []
    : within(sidebar()!)
        .getAllByRole('link')
        .map(({ textContent }) => textContent);
const headers = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent?.trim());

/** The list of devices: one of two is in the group. */
function startList(stored: readonly View[], as: Parameters<typeof startConsole>[0] = { role: 'admin' }) {
  const console = startConsole(as);
  const state = { views: [...stored] };
  const [depot, other] = rowsOf(devices.listDevices, [{ serial_number: 'HL5-1' }, { serial_number: 'HL5-2' }]);
  console.sendList(groups.listGroups, [{ group: 'north', groupName: 'North' }]);
  console.respond(devices.listDevices, ({ query }) => {
    const rows = query.group === undefined ? [depot!, other!] : [depot!];
    return { ...example(devices.listDevices), result: rows, total: rows.length };
  });
  console.respond(views.listViews, () => ({ result: state.views }));
  console.respond(views.saveView, ({ params, body }) => {
    const { name, shared, content, isDefault } = body;
    state.views = state.views.map((one) =>
      one.id === params.view
        ? {
            ...one,
            ...(name && { name }),
            ...(shared !== undefined && { shared }),
            ...(content && { content }),
            ...(isDefault !== undefined && { isDefault }),
          }
        : one,
    );
    return { result: state.views.find(({ id }) => id === params.view)! };
  });
  console.respond(views.deleteView, ({ params }) => {
    state.views = state.views.filter(({ id }) => id !== params.view);
    return { result: { deleted: 1 } };
  });
  const pick = async (name: string | RegExp) => {
    await console.user.click(screen.getByRole('button', { name: /^Views/u }));
    const menu = within(screen.getByRole('menu'));
    await console.user.click(menu.queryByRole('menuitem', { name }) ?? menu.getByRole('menuitemradio', { name }));
    await console.loaded();
  };
  return { ...console, state, pick };
}

test('BLK-03-partial a view keeps filters, sort and columns under a name, and is shared', async () => {
  const { open, user, fill, respond, requests, state, pick, address } = startList([]);
  respond(views.addView, ({ body }) => {
    const added = view({ name: body.name, shared: body.shared ?? false, content: body.content });
    state.views.push(added);
    return { result: added };
  });
  await open('/devices/list?group=north&sort=-serial&size=20');
  await user.click(screen.getByRole('button', { name: 'Columns' }));
  await user.click(within(screen.getByRole('dialog', { name: 'Columns' })).getByRole('checkbox', { name: 'IMEI' }));
  await user.keyboard('{Escape}');
  expect(headers()).toContain('IMEI');
  await pick('Save as a new view…');
  const dialog = within(screen.getByRole('dialog', { name: 'Save as a new view' }));
  await fill(dialog.getByRole('textbox', { name: 'Name' }), 'Depot by serial');
  await user.click(dialog.getByRole('checkbox', { name: 'Share with everyone here' }));
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await expect.poll(named).toEqual(['Depot by serial']);
  expect(address()).toContain('view=depot');
  expect(requests(views.addView)[0]?.body).toEqual({
    list: 'devices',
    name: 'Depot by serial',
    shared: true,
    content: { search: { group: 'north', sort: '-serial' }, layout: { columns: { imei: true } } },
  });
});

test('BLK-03-partial IAM-04-partial an admin within a limit is not offered to share a view', async () => {
  const limitedTo = { groups: [{ id: 'north', name: 'North' }], tags: [] };
  const { open, pick } = startList([], { role: 'admin', session: { limitedTo } });
  await open('/devices/list');
  await pick('Save as a new view…');
  const dialog = within(screen.getByRole('dialog', { name: 'Save as a new view' }));
  expect(dialog.getByRole('textbox', { name: 'Name' })).toBeTruthy();
  expect(dialog.queryByRole('checkbox', { name: 'Share with everyone here' })).toBeNull();
});

test('BLK-03-partial without it the list has its own columns and rows; what changes is saved to it only on request', async () => {
  const { open, user, fill, requests, pick, rows, loaded } = startList([view()]);
  await open('/devices/list?view=depot');
  await expect.poll(rows).toHaveLength(1);
  expect(headers()).toContain('IMEI');
  await pick('No view');
  expect(rows()).toHaveLength(2);
  expect(headers()).not.toContain('IMEI');
  await user.click(within(sidebar()!).getByRole('link'));
  await loaded();
  expect(rows()).toHaveLength(1);
  expect(headers()).toContain('IMEI');
  expect(screen.queryByRole('button', { name: 'Save changes to view' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Clear' }));
  await loaded();
  expect(rows()).toHaveLength(2);
  expect(requests(views.saveView)).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Save changes to view' }));
  await screen.findByText('View Depot by serial saved');
  expect(requests(views.saveView).at(-1)?.body).toEqual({
    content: { search: { sort: '-serial' }, layout: { columns: { imei: true } } },
  });
  await pick('Rename or share…');
  const edit = within(screen.getByRole('dialog', { name: 'Rename or share…' }));
  await fill(edit.getByRole('textbox', { name: 'Name' }), 'Depot');
  await user.click(edit.getByRole('button', { name: 'Save' }));
  await expect.poll(named).toEqual(['Depot']);
});

test('SVC-01-partial BLK-03-partial the default view does not hide the row that a link leads to', async () => {
  const { open, visit, user, address } = startList([view({ isDefault: true })]);
  await open('/devices/service');
  await user.click(await screen.findByRole('link', { name: 'Show HL5-2 in Devices' }));
  await expect.poll(() => address().split('?')[0]).toBe('/devices/list');
  await expect.poll(() => document.querySelector('tr[data-highlighted]')?.textContent).toContain('HL5-2');
  // Its columns and its order, without its filters.
  await expect.poll(() => new URLSearchParams(address().split('?')[1]).get('view')).toBe('depot');
  expect(address()).not.toMatch(/group=|search=|status=/u);
  // Opened for no row, it has its view.
  document.cookie = 'highlineD=; Path=/; Max-Age=0';
  await visit('/users');
  await visit('/devices/list');
  await expect.poll(address).toContain('view=depot');
});

test('BLK-03-partial a user opens a shared one by its address, finds it with the palette, and makes it the default', async () => {
  const { open, visit, user, fill, respond, address, pick, rows } = startList([view({ editable: false })], { role: 'user' });
  respond(search.find, {
    result: [
      {
        kind: 'view',
        id: 'depot',
        title: 'Depot by serial',
        detail: 'devices',
        field: 'name',
        value: 'Depot by serial',
        org: '',
        orgName: '',
      },
    ],
  });
  await open('/devices/list?view=depot');
  await expect.poll(rows).toHaveLength(1);
  expect(screen.getByRole('button', { name: 'Views: Depot by serial' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: /^Views/u }));
  for (const name of ['Rename or share…', 'Delete this view…']) expect(screen.queryByRole('menuitem', { name })).toBeNull();
  await user.keyboard('{Escape}');
  await pick('Open this list with this view');
  await screen.findByText('View Depot by serial saved');
  await visit('/dashboard');
  await user.keyboard('{Control>}k{/Control}');
  await fill(screen.getByRole('combobox', { name: 'Find a device or page' }), 'DEPOT');
  await user.click(within(await screen.findByRole('group', { name: 'Views' })).getByRole('option'));
  await expect.poll(address).toContain('view=depot');
  await visit('/dashboard');
  await visit('/devices/list');
  await expect.poll(address).toContain('view=depot');
  await expect.poll(rows).toHaveLength(1);
});

test('BLK-03-partial it says what is gone, is deleted after a question, and is not overwritten when someone else saved it', async () => {
  const { open, user, fail, respond, state, pick, rows, loaded } = startList([view({ missing: ['org', 'route'] })]);
  await open('/devices/list?view=depot');
  expect(await screen.findByText(/^This view filters by something that no longer exists: organization, route\./u)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Clear' }));
  await loaded();
  fail(views.saveView, 'conflict.stale');
  state.views = [view({ name: 'Theirs' })];
  await user.click(screen.getByRole('button', { name: 'Save changes to view' }));
  expect((await screen.findByRole('alertdialog')).textContent).toContain('Someone else changed this.');
  await user.click(screen.getByRole('button', { name: 'OK' }));
  expect(await screen.findByRole('button', { name: 'Views: Theirs' })).toBeTruthy();
  expect(rows()).toHaveLength(2);
  respond(views.saveView, () => new Failed('server.busy'));
  await pick('Delete this view…');
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete this view…' }));
  expect(await screen.findByText('View Theirs deleted')).toBeTruthy();
  await expect.poll(sidebar).toBeNull();
  expect(rows()).toHaveLength(2);
});
