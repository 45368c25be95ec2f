import { alerts, devices, logs, type Role } from '@highline/contract';
import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { startConsole } from '../testing/console.tsx';

// Lists on a phone: rows of two lines, each one target.

const WIDTH = 390;
/** In epoch seconds, as the console of a test has it. */
const NOW = Date.parse('2026-11-23T15:30:00Z') / 1_000;
const lists: readonly (readonly [path: string, role: Role])[] = [
  ['/devices/list', 'admin'],
  ['/devices/list', 'user'],
  ['/devices/esimsList', 'admin'],
  ['/devices/service', 'admin'],
  ['/groups/list', 'admin'],
  ['/groups/firmwares', 'admin'],
  ['/groups/config', 'admin'],
  ['/users', 'admin'],
  ['/logs', 'admin'],
  ['/alerts', 'admin'],
  ['/alerts/rules', 'admin'],
  ['/alerts/rules', 'user'],
  ['/devices/setting?device=bus&tab=sims', 'admin'],
  ['/api-keys', 'admin'],
  ['/webhooks', 'admin'],
  ['/usage', 'admin'],
  ['/jobs', 'admin'],
  ['/coverage?tab=zones', 'admin'],
  ['/coverage?tab=vehicles', 'admin'],
  ['/reports/list/record', 'admin'],
  ['/organization', 'main'],
  ['/devices/orgList', 'main'],
  ['/inventory', 'main'],
  ['/colleagues', 'main'],
];

const rowsShown = () => [...document.querySelectorAll<HTMLElement>('tr[data-row]')];
const titleOf = (row: HTMLElement) => row.querySelector('.phone-row__title')?.textContent ?? '';

describe('SAY-09 lists at 390 px', () => {
  test.each(lists)('SAY-09-partial %s (%s) has rows of two lines with a name, and no header or box', async (path, role) => {
    const { open } = startConsole({ role, width: WIDTH });
    await open(path);
    expect(rowsShown().length).toBeGreaterThan(0);
    for (const table of document.querySelectorAll('.table')) expect(table.querySelectorAll('th')).toHaveLength(0);
    expect(screen.queryAllByRole('checkbox', { name: /^Select / })).toEqual([]);
    for (const row of rowsShown()) {
      expect(row.querySelectorAll('td')).toHaveLength(1);
      expect(titleOf(row)).not.toBe('');
    }
  });

  const bus = {
    device: 'bus',
    serial_number: 'HL-1',
    vehicle_number: 'Bus 2104',
    group_name: 'North depot',
    presence: 'online',
    presence_since: NOW - 3600,
    rejected: null,
    offline_expected: null,
    diagnosis: null,
    cellular_mno: 'Verizon',
    cellular_rssi: -75,
    last_seen: NOW - 7,
  } as const;
  const spare = {
    ...bus,
    device: 'spare',
    serial_number: 'HL-2',
    vehicle_number: '',
    presence: 'offline',
    offline_expected: null,
  } as const;

  test('SAY-09-partial a device says its vehicle, state, carrier, signal, group and last contact, and its row is a link', async () => {
    const { open, sendList, user, address } = startConsole({ width: WIDTH });
    sendList(devices.listDevices, [bus, spare]);
    await open('/devices/list');
    const [first, second] = rowsShown() as [HTMLElement, HTMLElement];
    expect([titleOf(first), titleOf(second)]).toEqual(['Bus 2104', 'HL-2']);
    expect(first.querySelector('.phone-row__aside')?.textContent).toMatch(/Verizon.*−75 dBm/u);
    const line = [...first.querySelectorAll('.phone-row__more > *')].map(({ textContent }) => textContent);
    expect(line.filter((text) => text !== '')).toEqual(['Online', 'North depot', '7 s ago']);
    expect(second.querySelector('.phone-row__state')?.textContent).toContain('Offline');
    await user.click(within(first).getByRole('link', { name: 'Bus 2104' }));
    await expect.poll(address).toBe('/devices/setting?device=bus');
  });

  test('SAY-09-partial Select or a long press shows boxes; then a press picks, and Done ends it', async () => {
    const { open, sendList, user, address, advance } = startConsole({ width: WIDTH, timers: 'fake' });
    sendList(devices.listDevices, [bus, spare]);
    await open('/devices/list');
    await user.click(screen.getByRole('button', { name: 'Select' }));
    expect(screen.queryByRole('link', { name: 'Bus 2104' })).toBeNull();
    await user.click(screen.getByText('Bus 2104'));
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select Bus 2104' }).checked).toBe(true);
    expect(address()).toBe('/devices/list');
    await user.click(screen.getByRole('checkbox', { name: 'Select all rows on this page' }));
    expect(screen.getByText('2 selected')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Done' }));
    expect(screen.queryByRole('toolbar', { name: 'Selected rows' })).toBeNull();
    expect(screen.getByRole('link', { name: 'Bus 2104' })).toBeTruthy();

    const link = screen.getByRole('link', { name: 'HL-2' });
    fireEvent.pointerDown(link, { pointerType: 'touch' });
    await advance(500);
    fireEvent.pointerUp(link, { pointerType: 'touch' });
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select HL-2' }).checked).toBe(true);
    expect(screen.getByText('1 selected')).toBeTruthy();
  });

  test('SAY-09-partial the order is chosen above the rows, and turned', async () => {
    const { open, requests, user, address } = startConsole({ width: WIDTH });
    await open('/devices/list');
    const sort = () => requests(devices.listDevices).at(-1)?.query.sort;
    await user.selectOptions(screen.getByLabelText('Sort by'), 'Vehicle#');
    await expect.poll(sort).toBe('vehicle');
    await user.click(screen.getByRole('button', { name: 'Sort descending' }));
    await expect.poll(sort).toBe('-vehicle');
    await user.selectOptions(screen.getByLabelText('Sort by'), 'Usual order');
    // Those rows are here already, from before: nothing is sent.
    await expect.poll(address).toBe('/devices/list');
  });

  test('SAY-09-partial an alert says what and since when, and leads to its device', async () => {
    const { open, sendList, user, address } = startConsole({ width: WIDTH });
    sendList(alerts.listAlerts, [
      { ruleName: 'Vehicle lost', device: 'bus', vehicle_number: 'Bus 2104', state: 'firing', fired: NOW - 1_800, storm: null },
    ]);
    await open('/alerts');
    const [row] = rowsShown() as [HTMLElement];
    expect(titleOf(row)).toBe('Vehicle lost');
    expect(row.querySelector('.phone-row__aside')?.textContent).toBe('30 min ago');
    expect(row.querySelector('.phone-row__more')?.textContent).toMatch(/^Firing.*Bus 2104/u);
    await user.click(within(row).getByRole('link', { name: 'Vehicle lost' }));
    await expect.poll(address).toBe('/devices/setting?device=bus');
  });

  test('SAY-09-partial a column that is chosen beyond the usual ones stands at the end of the second line', async () => {
    const { open, sendList, user } = startConsole({ width: WIDTH });
    sendList(devices.listDevices, [{ ...bus, tags: ['spare'] }]);
    await open('/devices/list');
    await user.click(screen.getByRole('button', { name: 'Columns' }));
    await user.click(screen.getByRole('checkbox', { name: 'Tags' }));
    expect(rowsShown()[0]?.querySelector('.phone-row__more')?.textContent).toMatch(/spare$/u);
  });

  test('SAY-09-partial a row that opens a dialog opens it', async () => {
    const { open, sendList, user } = startConsole({ width: WIDTH });
    sendList(logs.listLogs, [{}]);
    await open('/logs');
    await user.click(within(rowsShown()[0]!).getByRole('button'));
    expect(await screen.findByText('Stored details')).toBeTruthy();
  });
});
