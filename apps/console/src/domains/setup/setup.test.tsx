import { alerts, devices, geofences, organizations } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { example, startConsole } from '../../testing/console.tsx';

const step = (title: string) => screen.getByRole('heading', { name: title }).closest('li')!;
const stateOf = (title: string) => within(step(title)).getByText(/^(?:Done|Not yet)$/u).textContent;

/** Devices by presence, as the lists of one row count them. */
const counts = (numbers: Readonly<Record<string, number>>) => (request: { query: unknown }) => {
  const { presence = 'all' } = request.query as { presence?: string };
  return { ...example(devices.listDevices), total: numbers[presence] ?? 0 };
};

test('SAY-13 a new organization sees each step with its state and where it is taken, and on the overview the next one', async () => {
  const { open, respond, user, address } = startConsole();
  respond(devices.listDevices, counts({ all: 3, never: 3 }));
  respond(alerts.listRules, { ...example(alerts.listRules), result: [] });
  respond(geofences.listGeofences, { ...example(geofences.listGeofences), result: [] });
  await open('/dashboard');
  const note = await screen.findByText(/^Set-up: \d of 5 steps are done\. Next: A device that has connected\./u);
  await user.click(within(note).getByRole('link', { name: 'What is set up' }));
  expect(await screen.findByText('1 of 5 steps are done')).toBeTruthy();
  expect(['A device', 'A device that has connected', 'A second person', 'An alert rule', 'A geofence'].map(stateOf)).toEqual([
    'Done',
    'Not yet',
    'Not yet',
    'Not yet',
    'Not yet',
  ]);
  expect(within(step('An alert rule')).getByRole('link', { name: 'Add a rule' }).getAttribute('href')).toBe('/alerts/rules');
  await user.click(within(step('A geofence')).getByRole('link', { name: 'Draw a geofence' }));
  await expect.poll(address).toBe('/geofences');
});

test('SAY-13-partial a router that is offline or parked again has connected', async () => {
  const { open, respond } = startConsole();
  respond(devices.listDevices, counts({ all: 3, parked: 1, never: 2 }));
  await open('/setup');
  expect(stateOf('A device that has connected')).toBe('Done');
});

test('SAY-13 a new installation is led from the stock to a device that has connected', async () => {
  const { open, respond } = startConsole({ role: 'main' });
  const empty = { organizations: 0, devices: 0, online: 0, rollouts: { failed: 0, paused: 0 }, stock: 1 };
  respond(organizations.fleet, { result: empty });
  respond(organizations.listOrganizations, { ...example(organizations.listOrganizations), result: { list: [] }, total: 0 });
  respond(devices.listDevices, counts({}));
  await open('/setup');
  expect(screen.getByText('1 of 5 steps are done')).toBeTruthy();
  expect(stateOf('A router in stock')).toBe('Done');
  expect(within(step('An organization')).getByRole('link', { name: 'Create an organization' }).className).toContain('button');
  expect(['Its first admin', 'A device', 'A device that has connected'].map(stateOf)).toEqual(['Not yet', 'Not yet', 'Not yet']);
});

test('SAY-13-partial a user has no steps to take, and what is complete is not looked at again', async () => {
  const { open, respond, requests } = startConsole({ role: 'user' });
  respond(devices.listDevices, counts({}));
  await open('/dashboard');
  expect(requests(alerts.listRules)).toEqual([]);
  expect(screen.queryByText(/^Set-up/u)).toBeNull();
});
