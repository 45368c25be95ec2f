import { accounts, analysis, devices, groups } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { example, startConsole } from '../../testing/console.tsx';

type Counts = ReturnType<typeof example<typeof devices.statistics>>['result'];
const counts = (parts: Partial<Counts>) => ({
  result: { ...example(devices.statistics).result, unknown: 0, carriers: [], ...parts },
});
const users = (all: number, online: number) => ({
  result: { allUserNum: all, onlineUserNum: online, offlineUserNum: all - online },
});
const card = (name: string) => screen.getByRole('region', { name });

const noDevices = { online: 0, offline: 0, unknown: 0, never: 0, parked: 0, planned: 0 };

test('OVW-07-partial OVW-01-partial SAY-04-partial it fetches devices, counts and sign-ins every 60 s, and each number leads to its list', async () => {
  const { open, visit, respond, sendList, push, advance, requests, rows, user, address, loaded } = startConsole({
    timers: 'fake',
  });
  respond(devices.statistics, counts({ devices: 0, online: 0, offline: 0, never: 0 }));
  respond(accounts.loginStatus, users(1, 1));
  sendList(devices.listDevices, []);
  await open('/dashboard');
  expect(card('Devices').querySelector('.kpi__number')?.textContent).toBe('0');
  expect(card('Cloud Users').textContent).toContain('1 online');
  // Entries of logs, of which any fleet writes many, count no devices again.
  const counted = async (topic: 'logs' | 'devices') => {
    const before = requests(devices.statistics).length;
    push(topic);
    await advance(2_000);
    return requests(devices.statistics).length - before;
  };
  expect([await counted('logs'), await counted('devices')]).toEqual([0, 1]);
  respond(devices.statistics, counts({ devices: 3, online: 0, offline: 0, unknown: 1, never: 2, expired: 1 }));
  respond(accounts.loginStatus, users(2, 1));
  sendList(devices.listDevices, [{ serial_number: 'HL5-1' }, { serial_number: 'HL5-2' }]);
  await advance(75_000);
  expect(card('Devices').querySelector('.kpi__number')?.textContent).toBe('3');
  for (const text of ['0 online', '0 offline', '2 never connected']) expect(card('Devices').textContent).toContain(text);
  expect(card('Cloud Users').querySelector('.kpi__number')?.textContent).toBe('2');
  expect(card('Cloud Users').textContent).toContain('1 offline');
  expect(rows().filter(({ textContent }) => textContent.includes('HL5-'))).toHaveLength(2);
  expect(requests(accounts.loginStatus).at(-1)?.params).toEqual({ org: 'lakeshore' });
  for (const [name, to] of [
    ['offline', '/devices/list?presence=offline'],
    ['online', '/devices/list?presence=online'],
    ['unknown', '/devices/list?presence=unknown'],
    ['expiring', '/devices/list?service=expiring'],
  ] as const) {
    await visit('/dashboard');
    await user.click(within(card('Devices')).getByRole('link', { name: new RegExp(`\\d ${name}`, 'u') }));
    await loaded();
    expect(address()).toBe(to);
  }
});

test('OVW-04-partial each carrier has one of five colours, and a click shows how many of its devices are online, offline and parked', async () => {
  const { open, respond, user } = startConsole();
  const carriers = ['Alpha', 'Beta', 'Gamma', 'Delta', 'Verizon Wireless'].map((carrier, index) => ({
    carrier,
    total: index + 2,
    ...noDevices,
    online: 1,
    offline: index + 1,
    parked: 4 - index,
    color: index + 1,
  }));
  respond(devices.statistics, counts({ carriers }));
  await open('/dashboard');
  const bars = screen.getAllByRole('button', { pressed: false }).filter(({ className }) => className.includes('bars__row'));
  expect(bars.map(({ textContent }) => textContent)).toEqual(
    ['Alpha2', 'Beta3', 'Gamma4', 'Delta5', 'Verizon6'].map((text) => expect.stringContaining(text.slice(0, 4))),
  );
  expect(bars.at(-1)?.textContent).not.toContain('Wireless');
  const colours = bars.map((bar) => bar.querySelector<HTMLElement>('.bars__bar')?.style.background);
  expect(new Set(colours).size).toBe(5);
  await user.click(bars[0]!);
  const chosen = screen.getAllByRole('status').find(({ textContent }) => textContent.includes('Alpha'));
  expect(chosen?.textContent).toContain('1 online');
  expect(chosen?.textContent).toContain('1 offline');
  expect(chosen?.textContent).toContain('4 parked');
  expect(chosen?.textContent).not.toContain('never');
  await user.click(within(card('SIMs per carrier')).getByRole('button', { name: 'View as table' }));
  const table = within(screen.getByRole('table', { name: 'SIMs per carrier' }));
  expect(
    table
      .getAllByRole('row')
      .map((line) => Array.from(line.children, ({ textContent }) => textContent))
      .slice(0, 2),
  ).toEqual([
    ['Carrier', 'SIMs', 'Online', 'Offline', 'Parked'],
    ['Alpha', '2', '1', '1', '4'],
  ]);
});

test('SAY-11-partial the colour of a carrier is that of the server, and an admin changes it for everyone', async () => {
  const { open, respond, requests, user } = startConsole();
  const verizon = { ...noDevices, carrier: 'Verizon', total: 3, online: 2, offline: 1, color: 4 };
  respond(devices.statistics, counts({ carriers: [verizon] }));
  respond(devices.saveCarrierColor, { result: { carrier: 'Verizon', color: 2 } });
  await open('/dashboard');
  const bar = await screen.findByRole('button', { name: /Verizon/u });
  expect(bar.querySelector<HTMLElement>('.bars__bar')?.style.background).toBe('var(--c4)');
  await user.click(bar);
  const choice = within(await screen.findByRole('group', { name: 'Color, for everyone of your organization' }));
  expect(choice.getByRole<HTMLInputElement>('radio', { name: 'Purple' }).checked).toBe(true);
  respond(devices.statistics, counts({ carriers: [{ ...verizon, color: 2 }] }));
  await user.click(choice.getByRole('radio', { name: 'Teal' }));
  expect(requests(devices.saveCarrierColor).at(-1)!.body).toEqual({ carrier: 'Verizon', color: 2 });
  await expect.poll(() => bar.querySelector<HTMLElement>('.bars__bar')?.style.background).toBe('var(--c2)');
});

test('SAY-11-partial a user sees the colours and has no choice', async () => {
  const { open, respond, user } = startConsole({ role: 'user' });
  respond(
    devices.statistics,
    counts({ carriers: [{ ...noDevices, carrier: 'Verizon', total: 3, online: 2, offline: 1, color: 4 }] }),
  );
  await open('/dashboard');
  await user.click(await screen.findByRole('button', { name: /Verizon/u }));
  expect(screen.queryByRole('group', { name: /^Color/u })).toBeNull();
});

test('API-03-partial OVW-08-partial a chart that a program pinned names its group and its days', async () => {
  const { open, respond } = startConsole();
  const [pinned] = example(analysis.listDraws).result;
  const stored = { projectId: 'north', startDate: '1794895200', endDate: '1795068000', propertyId: 'rssi' };
  respond(analysis.listDraws, { result: [{ ...pinned!, api: { chartType: 'average', arguments: stored } }] });
  respond(groups.getGroup, { result: { ...example(groups.getGroup).result, groupName: 'North depot' } });
  const property = { id: 'rssi', name: 'RSSI', type: 'number' } as const;
  respond(analysis.prepareChart, {
    result: { ...example(analysis.prepareChart).result, chartType: 'average', property, unit: 'dBm' },
  });
  await open('/dashboard');
  const charts = await screen.findByRole('group', { name: 'Pinned charts' });
  await expect.poll(() => charts.textContent).toContain('11/17/2026–11/18/2026');
  expect(charts.textContent).toContain('North depot');
  expect(within(charts).getByRole('heading').textContent).toBe('Average of Signal strength (RSSI) (dBm)');
});

test.each([
  ['average', [0, 1, 2].map((hour) => ({ x: hour * 3_600_000, y: [-100, -65, -80][hour]! }))],
  ['sumarty', [['min', -100] as const, ['max', -65] as const, ['mean', -80] as const].map(([x, y]) => ({ x, y }))],
] as const)(
  'OVW-08-partial ANA-02-partial in a pinned chart of a signal as bars (%s) a stronger one has a longer bar',
  async (chartType, points) => {
    const { open, respond } = startConsole();
    const [pinned] = example(analysis.listDraws).result;
    const content = { ...pinned!.content, mark: 'bar' as const };
    respond(analysis.listDraws, { result: [{ ...pinned!, content, api: { chartType, arguments: { propertyId: 'rssi' } } }] });
    const property = { id: 'rssi', name: 'RSSI', type: 'number' } as const;
    respond(analysis.prepareChart, {
      result: {
        ...example(analysis.prepareChart).result,
        chartType,
        mark: 'bar',
        property,
        unit: 'dBm',
        window: '1h',
        points: [...points],
      },
    });
    await open('/dashboard');
    const charts = await screen.findByRole('group', { name: 'Pinned charts' });
    const bars = () => [...charts.querySelectorAll<HTMLElement>('.time-chart__bar, .amounts__bar i')];
    await expect.poll(() => bars().length).toBe(3);
    const [weakest, strongest, between] = bars().map((bar) =>
      bar.hasAttribute('y1') ? Number(bar.getAttribute('y1')) - Number(bar.getAttribute('y2')) : parseFloat(bar.style.width),
    ) as [number, number, number];
    expect(weakest).toBeGreaterThan(0);
    expect(between).toBeGreaterThan(weakest);
    expect(strongest).toBeGreaterThan(between);
  },
);

test('IAM-04-partial who is limited to groups has no share online, no people and no log of the whole organization', async () => {
  const limitedTo = { groups: [{ id: 'north', name: 'North' }], tags: [] };
  const { open, respond, requests } = startConsole({ role: 'user', session: { limitedTo } });
  respond(devices.statistics, counts({ devices: 3 }));
  await open('/dashboard');
  expect(card('Needs attention')).toBeTruthy();
  expect(card('Devices').querySelector('.kpi__number')?.textContent).toBe('3');
  expect(card('Groups')).toBeTruthy();
  await screen.findByRole('region', { name: 'SIMs per carrier' });
  for (const name of ['Devices online (%)', 'Cloud Users', 'Logs']) expect(screen.queryByRole('region', { name })).toBeNull();
  expect(within(screen.getByRole('main')).queryByRole('link', { name: /log/iu })).toBeNull();
  for (const closed of [accounts.loginStatus, devices.onlineShare, analysis.listDraws]) expect(requests(closed)).toEqual([]);
});

test('nothing is reported empty before it is loaded', async () => {
  const { open, respond, hold } = startConsole();
  const release = hold(devices.statistics);
  respond(devices.statistics, counts({ carriers: [] }));
  await open('/dashboard');
  const carriers = await screen.findByRole('region', { name: 'SIMs per carrier' });
  expect(carriers.textContent).not.toContain('No Records.');
  release();
  await expect.poll(() => carriers.textContent).toContain('No Records.');
});

test('OVW-04-partial without counts the failure is said once, and no chart goes on loading', async () => {
  const { open, fail } = startConsole();
  fail(devices.statistics, 'server.fault');
  await open('/dashboard');
  await screen.findByRole('button', { name: 'Retry' });
  expect(screen.queryByRole('region', { name: 'SIMs per carrier' })).toBeNull();
});
