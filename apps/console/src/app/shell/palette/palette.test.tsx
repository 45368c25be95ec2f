import { search } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startConsole } from '../../../testing/console.tsx';

const palette = () => screen.getByRole('dialog', { name: 'Find a device or page' });
const options = () =>
  within(palette())
    .queryAllByRole('option')
    .map(({ textContent }) => textContent);
const found = (kind: search.FoundKind, id: string, title: string, parts: Partial<search.Found> = {}): search.Found => ({
  kind,
  id,
  title,
  detail: '',
  field: 'name',
  value: title,
  org: '',
  orgName: '',
  ...parts,
});
const bus = found('device', 'bus', 'Bus 2104', { detail: 'HL5-1', field: 'imei', value: '356938035643809' });

/** Opens it by the keyboard, and waits for the answer to what is typed. */
async function startPalette(role: 'main' | 'admin' | 'user', path: string) {
  const console = startConsole({ role });
  await console.open(path);
  const press = () => console.user.keyboard('{Control>}k{/Control}');
  const find = async (text: string) => {
    await console.fill(within(palette()).getByRole('combobox'), text);
    await expect.poll(() => within(palette()).getByRole('listbox').getAttribute('aria-busy')).toBe('false');
  };
  return { ...console, press, find };
}

test('BLK-04 it loses no key while its results and the answer are on their way, and opens what was typed', async () => {
  const { press, user, hold, respond, address, requests } = await startPalette('admin', '/dashboard');
  respond(search.find, ({ query }) => ({
    result: query.text === 'snow PLOW' ? [found('device', 'plow', 'Snow Plow 12')] : [bus],
  }));
  const release = hold(search.find);
  await press();
  await user.keyboard('snow PLOW{Enter}');
  expect(within(palette()).getByRole<HTMLInputElement>('combobox').value).toBe('snow PLOW');
  await expect.poll(() => requests(search.find).at(-1)?.query).toEqual({ text: 'snow PLOW' });
  expect(address()).toBe('/dashboard');
  release();
  await expect.poll(address).toBe('/devices/setting?device=plow');
  await press();
  expect(within(within(palette()).getByRole('group', { name: 'Recent' })).getByRole('option').textContent).toContain(
    'Snow Plow 12',
  );
});

test('BLK-04-partial results stand by kind with what matched, arrows move through all, and each opens its own page', async () => {
  const { press, find, user, respond, address, loaded } = await startPalette('admin', '/dashboard');
  respond(search.find, { result: [bus] });
  await press();
  await find('5643809');
  expect(options()).toEqual([expect.stringContaining('IMEI 356938035643809')]);
  expect(palette().querySelector('mark')?.textContent).toBe('5643809');
  respond(search.find, {
    result: [
      found('group', 'night', 'Night depot'),
      found('config', 'night', 'night.cfg'),
      found('firmware', 'night', 'night-7', { field: 'version' }),
    ],
  });
  await find('night');
  for (const [group, title] of [
    ['Groups', 'Night depot'],
    ['Config files', 'night.cfg'],
    ['Firmware', 'night-7'],
  ] as const)
    expect(within(within(palette()).getByRole('group', { name: group })).getByRole('option').textContent).toContain(title);
  const active = () => {
    const id = within(palette()).getByRole('combobox').getAttribute('aria-activedescendant');
    return document.getElementById(id!)?.textContent;
  };
  expect(active()).toContain('Night depot');
  await user.keyboard('{ArrowUp}');
  expect(active()).toContain('night-7');
  await user.keyboard('{ArrowDown}');
  expect(active()).toContain('Night depot');
  await user.keyboard('{Enter}');
  await expect.poll(address).toBe('/groups/detail?group=night');
  await loaded();

  for (const [result, to] of [
    [[found('config', 'night', 'night.cfg')], '/groups/configSetting?config=night'],
    [[found('person', 'ann', 'Ann')], '/users/detail?user=ann'],
    [[found('view', 'mine', 'Depot by serial', { detail: 'devices' })], '/devices/list?view=mine'],
  ] as const) {
    respond(search.find, { result: [...result] });
    await press();
    await find(result[0].title.toUpperCase());
    await user.keyboard('{Enter}');
    await expect.poll(address).toContain(to);
    await loaded();
  }
  respond(search.find, { result: [] });
  for (const [text, page] of [
    ['service STATUS', '/devices/service'],
    ['add a gr', '/groups/add'],
  ] as const) {
    await press();
    await find(text);
    await user.keyboard('{Enter}');
    await expect.poll(address).toBe(page);
    await loaded();
  }
});

test('BLK-04-partial it says that nothing was found, and that it failed, which can be tried again', async () => {
  const { press, find, user, respond, fail } = await startPalette('admin', '/dashboard');
  respond(search.find, { result: [] });
  await press();
  await find('nothing has this name');
  expect(palette().textContent).toContain('No matched results.');
  fail(search.find, 'server.fault');
  await find('bus');
  expect(within(palette()).getByRole('alert').textContent).toContain('Something went wrong on our side.');
  respond(search.find, { result: [bus] });
  await user.click(within(palette()).getByRole('button', { name: 'Retry' }));
  await expect.poll(options).toEqual([expect.stringContaining('Bus 2104')]);
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('dialog', { name: 'Find a device or page' })).toBeNull();
});

test('BLK-04-partial it has no action that the role of a user may not', async () => {
  const { press, find, respond } = await startPalette('user', '/dashboard');
  respond(search.find, { result: [] });
  await press();
  await find('add an');
  expect(options()).toEqual([]);
});

test.each([
  ['admin', '/dashboard', 'add user', 'Invite a cloud user', '/users/add'],
  ['main', '/organization', 'medic 7', /Medic 7.*HL5-7.*Lakeshore Transit/u, '/devices/setting?device=medic'],
] as const)('BLK-04-partial the role %s opens from it what is its own', async (role, path, text, shown, to) => {
  const { press, find, user, respond, address } = await startPalette(role, path);
  const medic = found('device', 'medic', 'Medic 7', { detail: 'HL5-7', org: 'one', orgName: 'Lakeshore Transit' });
  respond(search.find, { result: role === 'main' ? [medic] : [] });
  await press();
  await find(text);
  expect(options()[0]).toMatch(shown);
  await user.keyboard('{Enter}');
  await expect.poll(address).toBe(to);
});
