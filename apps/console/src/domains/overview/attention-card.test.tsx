import { devices } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { example, startConsole } from '../../testing/console.tsx';

type Attention = ReturnType<typeof example<typeof devices.attention>>['result'];

const named = (vehicle: string) => ({
  device: vehicle.toLowerCase().replace(' ', '-'),
  serial_number: `HL-${vehicle}`,
  vehicle_number: vehicle,
  org: 'lakeshore',
  projectName: 'Lakeshore Transit',
});
const none = { weak: [], connections: [], positions: [], sims: [], expiring: [], unsubscribed: [], rollouts: [] };
const calm = {
  offline: { total: 0, latest: [] },
  weak: 0,
  connections: 0,
  positions: 0,
  sims: 0,
  expiring: 0,
  unsubscribed: 0,
  starting: 0,
  never: 0,
  parked: 0,
  planned: 0,
  rollouts: { failed: 0, paused: 0 },
  alerts: { firing: 0, critical: 0 },
  criticalAlerts: [],
  first: none,
  diagnoses: [],
  deviation: null,
} satisfies Attention;
const attention = (parts: Partial<Attention>) => ({ result: { ...calm, ...parts } });
const deviation: NonNullable<Attention['deviation']> = {
  offline: 5,
  devices: 11,
  usual: { least: 0, most: 1 },
  since: Math.floor(Date.parse('2026-11-20T10:58:40Z') / 1_000),
  shared: { kind: 'carrier', name: 'US Cellular', projectName: null, devices: 5, of: 5 },
  latest: [named('Bus 2075'), named('Bus 2140'), named('Rail 08')],
};

const card = () => screen.getByRole('region', { name: /Needs attention|需要處理/u });
const startAt = (found: Partial<Attention>) => {
  const started = startConsole();
  started.respond(devices.attention, attention(found));
  return started;
};

test('SAY-01-partial the overview begins with what is different today, names the vehicles and leads to the map', async () => {
  const { open } = startAt({ deviation });
  await open('/dashboard');
  const text = card().textContent;
  expect(text).toContain('5 of 11 offline now (usually 0–1), all on US Cellular, since ');
  expect(within(card()).getAllByRole('listitem').map((item) => item.textContent)).toEqual(['Bus 2075', 'Bus 2140', 'Rail 08', 'and 2 more']); // prettier-ignore
  expect(text).not.toContain('Nothing needs attention');
  const map = within(card()).getByRole('link', { name: 'Show on map' }).getAttribute('href');
  expect(map).toBe('/map?presence=offline&carrier=US+Cellular');
});

test.each([
  [{ usual: null, shared: null }, '5 of 11 offline now, since '],
  [{ usual: { least: 2, most: 2 } }, '5 of 11 offline now (usually 2), '],
  [{ shared: { kind: 'group', name: 'Airport line', projectName: 'Lakeshore', devices: 4, of: 5 } }, ', 4 of them in group Airport line, since '], // prettier-ignore
] as const)('SAY-01-partial the first line says no more than is known: %o', async (parts, expected) => {
  const { open } = startAt({ deviation: { ...deviation, ...parts } });
  await open('/dashboard');
  expect(card().textContent).toContain(expected);
});

test('SAY-01-partial a main account reads of which organization the group is that vehicles have in common', async () => {
  const { open, respond } = startConsole({ role: 'main' });
  const shared = { kind: 'group', name: 'default', projectName: 'Lakeshore', devices: 5, of: 5 } as const;
  respond(devices.attention, attention({ deviation: { ...deviation, shared } }));
  await open('/organization');
  expect(card().textContent).toContain(', all in group default of Lakeshore, since ');
});

test('SAY-01-partial where no organization is named, as by an earlier version, the sentence needs none', async () => {
  const { open, respond } = startConsole({ role: 'main' });
  const shared = { ...deviation.shared!, projectName: '' };
  respond(devices.attention, attention({ deviation: { ...deviation, shared } }));
  await open('/organization');
  expect(card().textContent).toContain(', all on US Cellular, since ');
});

test('SAY-01-partial SAY-02-partial below each line are the first vehicles, critical alerts and findings by name', async () => {
  const { open } = startAt({
    alerts: { firing: 4, critical: 1 },
    criticalAlerts: [{ ...named('Bus 2140'), alert: 'one', ruleName: 'Vehicle lost' }],
    weak: 5,
    first: { ...none, weak: [named('Bus 1'), named('Bus 2'), named('Bus 3')] },
    diagnoses: [
      { kind: 'identity', total: 1, first: [named('Bus 9')] },
      { kind: 'antenna', total: 1, first: [named('Bus 2166')] },
    ],
  });
  await open('/dashboard');
  const lines = within(card())
    .getAllByRole('listitem')
    .map((item) => item.textContent);
  expect(lines).toContain('4 firing alertsBus 2140 Vehicle lost');
  expect(lines).toContain('1 device: Antenna or cable suspectedBus 2166');
  expect(lines.find((line) => line.startsWith('5 devices'))).toContain('Bus 1Bus 2Bus 3and 2 more');
  // It has a line of its own, with rejected connections.
  expect(card().textContent).not.toContain('Identity used twice');
  expect(within(card()).getByRole('link', { name: 'Bus 2166' }).getAttribute('href')).toBe('/devices/setting?device=bus-2166');
  expect(
    within(card())
      .getByRole('link', { name: /Antenna/u })
      .getAttribute('href'),
  ).toBe('/devices/list?diagnosis=antenna');
});
