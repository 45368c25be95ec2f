import { devices, organizations } from '@highline/contract';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startConsole } from '../../testing/console.tsx';

const button = (name: string | RegExp) => screen.getAllByRole('button', { name })[0]!;

test('OGL-02 OGL-03 ORG-01-partial the main account sees the devices of all organizations or of one, by service and expiry', async () => {
  const { open, sendList, requests, user, address, loaded } = startConsole({ role: 'main' });
  sendList(organizations.listOrganizations, [{ id: 'lake', name: 'Lakeshore', expireDevices: '1/3' }]);
  sendList(
    devices.listDevices,
    [1, 2, 3].map((number) => ({ device: `d${number}`, serial_number: `HL5-${number}` })),
  );
  await open('/organization');
  await user.click(screen.getByRole('link', { name: /1\/3/u }));
  await loaded();
  expect(address()).toBe('/devices/orgList?org=lake');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Lakeshore');
  expect(screen.getByText('1–3 of 3')).toBeTruthy();
  expect(requests(devices.listDevices).at(-1)?.query).toMatchObject({ org: 'lake', offset: 0 });
  const headers = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  for (const column of ['#', 'Service Status', 'Expiration Date', 'Device Serial#', 'Device Model', 'Org'])
    expect(headers).toContain(column);
  sendList(devices.listDevices, [{ device: 'd2', serial_number: 'HL5-2' }]);
  await user.click(button(/Service Status/u));
  await user.click(screen.getByRole('option', { name: 'Expiring' }));
  await loaded();
  expect(requests(devices.listDevices).at(-1)?.query).toMatchObject({ org: 'lake', service: 'expiring' });
  expect(screen.getByText('1–1 of 1')).toBeTruthy();
  await user.click(button(/Remove filter.*Expiring/u));
  await loaded();
  await user.click(button(/Expiration date/u));
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining(['All dates', 'Today', 'This week', 'This month'].map((text) => expect.stringContaining(text))),
  );
  sendList(devices.listDevices, []);
  await user.click(screen.getByRole('option', { name: 'Today' }));
  await loaded();
  expect(requests(devices.listDevices).at(-1)?.query).toMatchObject({ expiration: 'today', zone: 'America/Chicago' });
  expect(screen.getByText('No matched results.')).toBeTruthy();
  await user.click(button('Clear'));
  await loaded();
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Devices');
  expect(requests(devices.listDevices).at(-1)?.query).not.toHaveProperty('org');
});

test('an address that was made to do harm shows the list, or that the device is gone, and no call that the contract does not accept', async () => {
  const { open, visit, fail } = startConsole();
  const script = '<script>window.hacked=1</script><img src=x onerror=hacked=1>';
  await open('/devices/list');
  for (const query of [
    `search=${encodeURIComponent(script)}`,
    `group=${encodeURIComponent(script)}&carrier=${encodeURIComponent(script)}`,
    'sort=serial;drop table devices&page=-1&size=1e9&field=secret',
    'page=999999999',
  ]) {
    await visit(`/devices/list?${query}`);
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Devices');
    expect(document.querySelector('main script, main img')).toBeNull();
  }
  fail(devices.getDevice, 'not_found');
  await visit(`/devices/setting?device=${encodeURIComponent(`' or 1=1 --${script}`)}`);
  expect(screen.getByText('This device no longer exists.')).toBeTruthy();
});
