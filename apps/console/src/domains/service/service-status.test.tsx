import { devices, groups } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { button, startConsole } from '../../testing/console.tsx';

const listed = ['S-1', 'S-2', 'S-3', 'S-4'].map((serial, at) => ({
  device: serial,
  serial_number: serial,
  expired: ['11/23/2026', '01/22/2027', '12/13/2026'][at] ?? '02/01/2026',
  // Where subscriptions are expiring 60 days before their end; the third one has not begun.
  subscription_status: ['Expiring', 'Expiring'][at] ?? 'Not subscribed',
}));

test('SVC-01 subscriptions with their last days, three a page, filtered by group, status and date, and downloaded; a serial number opens its device', async () => {
  const { open, respond, sendList, requests, user, address, rows, downloads } = startConsole({ role: 'user' });
  sendList(devices.listDevices, listed);
  sendList(groups.listGroups, [{ group: 'north', groupName: 'North' }]);
  respond(devices.exportDevices, 'Device Serial#\r\n');
  await open('/devices/service');
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Service Status');
  const titles = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
  expect(titles.slice(1)).toEqual(['Device Serial#', 'Service Status', 'Expiration Date', 'Group', 'Notes']);
  expect(rows()).toHaveLength(3);
  // Its clock ticks once a second.
  await expect.poll(() => rows()[0]?.textContent).toContain('11/23/2026 ends today');
  expect(rows()[1]?.textContent).toContain('01/22/2027 ends in 60 days');
  expect(rows()[2]?.textContent).not.toContain('ends');
  expect(screen.getByRole('link', { name: 'Notifications' }).getAttribute('href')).toBe('/devices/service/noitify');
  const latest = () => requests(devices.listDevices).at(-1)?.query;
  const pick = async (filter: string, offered: readonly string[] | undefined, option: string) => {
    await user.click(button(new RegExp(`^Filter by ${filter}`, 'u')));
    const options = within(await screen.findByRole('listbox'));
    const chosen = await options.findByRole('option', { name: option });
    if (offered !== undefined) expect(options.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(offered);
    await user.click(chosen);
  };
  await pick('Group', undefined, 'North');
  await pick('Service Status', ['All status', 'Subscribed', 'Expiring', 'Not subscribed'], 'Not subscribed');
  await pick('Expiration date', ['All dates', 'Today', 'This week', 'This month'], 'This week');
  const filter = { group: 'north', service: 'not-subscribed', expiration: 'week', zone: 'America/Chicago' };
  await expect.poll(latest).toMatchObject({ ...filter, limit: 3, offset: 0 });
  await user.click(button('Download(.csv)'));
  await expect.poll(() => downloads.map(({ name }) => name)).toEqual(['Service_export.csv']);
  expect(requests(devices.exportDevices)[0]?.query).toMatchObject({ ...filter, layout: 'service' });
  await user.click(screen.getByRole('link', { name: 'Show S-2 in Devices' }));
  await expect.poll(() => address().split('?')[0]).toBe('/devices/list');
  await expect.poll(() => document.querySelector('tr[data-highlighted]')?.textContent).toContain('S-2');
  expect(document.cookie).toContain('highlineD=');
});

test('SVC-01-partial SAY-11-partial in Chinese the last day is written with its year first, as in the list of devices', async () => {
  const { open, sendList, rows } = startConsole({ role: 'user', language: 'zh-TW' });
  sendList(devices.listDevices, listed);
  await open('/devices/service');
  await expect.poll(() => rows()[1]?.textContent).toContain('2027/01/22');
});
