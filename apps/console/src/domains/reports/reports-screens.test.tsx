import { groups, reports } from '@highline/contract';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { button, example, rowsOf, startConsole } from '../../testing/console.tsx';

const field = (label: string) => within(screen.getByRole('form')).getByLabelText<HTMLInputElement>(label);
const TODAY = { on: String(Date.parse('2026-11-23T06:00:00Z')), to: String(Date.parse('2026-11-24T06:00:00Z')) };
const texts = (elements: readonly HTMLElement[]) => elements.map(({ textContent }) => textContent);
const pages = () =>
  texts(
    within(screen.getByRole('navigation', { name: 'Pages of Collected records' })).getAllByRole('button', { name: /^Page \d/u }),
  );

function start() {
  const started = startConsole({ role: 'user' });
  const records = rowsOf(
    reports.listRecords,
    Array.from({ length: 75 }, (_, index) => ({ device: `d${index}`, field: 'rssi', field_value: -index })),
  );
  started.respond(reports.listRecords, ({ query }) => {
    const { limit = 10, offset = 0 } = query as { limit?: number; offset?: number };
    const result = records.slice(offset, offset + limit);
    return { ...example(reports.listRecords), result, total: records.length, offset, more: false };
  });
  started.respond(reports.listProperties, {
    result: [
      { property_id: 'rssi', property_name: 'RSSI', property_type: 'number', unit: 'dBm' },
      { property_id: 'temperature', property_name: 'Temperature', property_type: 'number', unit: '°C' },
    ],
  });
  return {
    ...started,
    last: () => started.requests(reports.listRecords).at(-1)?.query,
    search: async () => {
      await started.user.click(button('Search'));
      await started.loaded();
    },
  };
}

test('RPT-01 RPT-02-partial NAV-02-partial nothing of the form counts before Search; then each filter is sent, and is in the address', async () => {
  const { open, sendList, requests, user, last, search, address } = start();
  sendList(groups.listGroups, [{ group: 'north', groupName: 'North' }]);
  sendList(reports.listDeviceData, [{ device_id: 'd7', device_name: 'Bus 7' }]);
  await open('/reports/list/nothing-known');
  expect(address()).toBe('/reports/list/record');
  expect(screen.getByRole('link', { name: 'Reports' }).getAttribute('aria-current')).toBe('page');
  expect(button('Today').getAttribute('aria-pressed')).toBe('true');
  expect(field('Report name').value).toBe('2026/11/23 00:00:00 - 2026/11/23 23:59:59');
  expect(texts(screen.getAllByRole('columnheader'))).toEqual([
    'Device name',
    'Type',
    'Group name',
    'UDID',
    'Property',
    'Date',
    'Value',
  ]);
  expect(last()).toEqual({ ...TODAY, limit: 10, offset: 0 });
  await user.selectOptions(field('Property'), 'Signal strength (RSSI) (dBm)');
  // Copied from the screen, with its minus sign.
  await user.type(field('Value (dBm)'), '−60.0');
  expect(field('Value (dBm)').placeholder).toBe('Exact value, as in files');
  await user.type(field('Query ID'), 'north');
  expect(requests(reports.listRecords)).toHaveLength(1);
  await search();
  await expect.poll(last).toMatchObject({ ...TODAY, property: 'rssi', value: '-60', id: 'north' });
  expect(address()).toContain('property=rssi');
  await user.clear(field('Query ID'));
  await user.click(within(screen.getByRole('form')).getByRole('button', { name: /^Group/u }));
  await user.click(await screen.findByRole('option', { name: 'North' }));
  await user.click(within(screen.getByRole('form')).getByRole('button', { name: /^Device/u }));
  await user.type(screen.getByRole('combobox', { name: 'Device' }), 'bus');
  await expect
    .poll(() => requests(reports.listDeviceData).at(-1)?.query)
    .toMatchObject({ search: 'bus', group: 'north', ignoreCase: 'true' });
  await user.click(await screen.findByRole('option', { name: /Bus 7/u }));
  await user.click(button('Yesterday'));
  await search();
  const yesterday = { on: String(Date.parse('2026-11-22T06:00:00Z')), to: TODAY.on };
  await expect.poll(last).toMatchObject({ ...yesterday, group: 'north', device: 'd7' });
  expect(last()).not.toHaveProperty('id');
  // A range begins as the days that were chosen before it.
  await user.click(button('Date range'));
  fireEvent.change(screen.getByLabelText('Until'), { target: { value: '11/23/2026' } });
  fireEvent.blur(screen.getByLabelText('Until'));
  await search();
  await expect.poll(last).toMatchObject({ on: yesterday.on, to: TODAY.to });
  sendList(reports.listRecords, []);
  await user.click(button('This month'));
  await search();
  await expect.poll(last).toMatchObject({ on: String(Date.parse('2026-11-01T05:00:00Z')) });
  expect(await screen.findByText('No matched results.')).toBeTruthy();
});

test('RPT-02-partial ten records a page with value and unit; many pages are left out between the first, the near and the last', async () => {
  const { open, user, rows } = start();
  await open('/reports/list/record');
  expect(screen.getByText('1–10 of 75')).toBeTruthy();
  expect(rows()).toHaveLength(10);
  expect(rows()[3]!.textContent).toContain('−3 dBm');
  const size = screen.getByLabelText('Rows');
  expect(texts(within(size).getAllByRole('option'))).toEqual(['10', '20', '30', '50', '100']);
  expect(pages()).toEqual(['1', '2', '8']);
  await user.click(button('Page 8'));
  await expect.poll(rows).toHaveLength(5);
  await user.clear(screen.getByLabelText('Go to page'));
  await user.type(screen.getByLabelText('Go to page'), '4{Enter}');
  expect(await screen.findByText('31–40 of 75')).toBeTruthy();
  expect(pages()).toEqual(['1', '3', '4', '5', '8']);
  await user.selectOptions(size, '30');
  await expect.poll(rows).toHaveLength(30);
  expect(pages()).toEqual(['1', '2', '3']);
});

test('RPT-01-partial what was typed and not searched for stays while pages are turned', async () => {
  const { open, user, address } = start();
  await open('/reports/list/record?value=-60');
  await user.clear(field('Value'));
  await user.type(field('Value'), '-70');
  await user.click(screen.getByRole('button', { name: 'Page 2' }));
  await expect.poll(address).toContain('page=2');
  await expect.poll(pages).toContain('2');
  expect(field('Value').value).toBe('-70');
});

test('RPT-01-partial its filters are saved under a name, restored with one click, and deleted', async () => {
  const { open, respond, requests, user, search, address } = start();
  let saved: reports.SavedReport[] = [];
  respond(reports.listReports, () => ({ result: saved }));
  respond(reports.saveReport, ({ body }) => {
    const stored = Object.assign({ ...example(reports.saveReport).result, id: 'r1', projectId: '' }, body);
    saved = [stored];
    return { result: stored };
  });
  respond(reports.deleteReport, () => {
    saved = [];
    return { result: { deleted: 1 } };
  });
  await open('/reports/list/record');
  await user.click(button('Yesterday'));
  await user.type(field('Value'), '-60');
  await user.clear(field('Report name'));
  await user.type(field('Report name'), 'Weak signal');
  await user.click(button('Save report'));
  expect(await screen.findByText('Weak signal Save Success')).toBeTruthy();
  expect(requests(reports.saveReport)[0]?.body).toMatchObject({ reportName: 'Weak signal', dayType: 'yesterday', num: '-60' });
  await search();
  await user.click(button('Clear'));
  await expect.poll(address).toBe('/reports/list/record');
  await user.click(button('Saved reports'));
  await user.click(await screen.findByRole('button', { name: 'Weak signal' }));
  await expect.poll(address).toMatch(/day=yesterday&value=-60&name=Weak/u);
  expect(field('Value').value).toBe('-60');
  await user.click(button('Saved reports'));
  await user.click(button('Delete the saved report Weak signal'));
  expect(await screen.findByText('No saved reports yet.')).toBeTruthy();
  expect(requests(reports.deleteReport)[0]?.params).toEqual({ report: 'r1' });
});

test('API-03-partial RPT-01-partial a report that a program saved opens with its times as days of the zone, and without any with those of today', async () => {
  const { open, respond, user, last } = start();
  const saved = { ...example(reports.saveReport).result, dayType: null, groupId: '', properties: { id: '' }, num: '' };
  const times = { startDate: '1794895200', endDate: '2026-11-19T06:00:00Z' };
  respond(reports.listReports, {
    result: [
      { ...saved, id: 'r1', reportName: 'Two days', ...times },
      { ...saved, id: 'r2', reportName: 'No days', startDate: '', endDate: '' },
    ],
  });
  await open('/reports/list/record');
  const pick = async (name: string) => {
    await user.click(button('Saved reports'));
    await user.click(await screen.findByRole('button', { name }));
  };
  await pick('Two days');
  const range = { on: String(Date.parse('2026-11-17T06:00:00Z')), to: String(Date.parse('2026-11-19T06:00:00Z')) };
  await expect.poll(last).toMatchObject(range);
  expect(button('Remove filter Days: 11/17/2026–11/18/2026')).toBeTruthy();
  await pick('No days');
  await expect.poll(last).toMatchObject(TODAY);
});

test('RPT-01-partial the files are of what is shown, and are named without characters that file names cannot have', async () => {
  const { open, respond, requests, user, downloads } = start();
  respond(reports.exportRecords, new Blob(['rows']) as never);
  await open('/reports/list/record?property=rssi&value=-60');
  await user.click(button('Download(.csv)'));
  await user.click(button('Excel export'));
  const name = '2026-11-23 00-00-00 - 2026-11-23 23-59-59';
  await expect.poll(() => downloads.map((file) => file.name)).toEqual([`${name}.csv`, `${name}.xlsx`]);
  const shown = { ...TODAY, property: 'rssi', value: '-60', name, zone: 'America/Chicago', language: 'en-US' };
  expect(requests(reports.exportRecords).map(({ query }) => query)).toEqual([
    { ...shown, format: 'csv' },
    { ...shown, format: 'xlsx' },
  ]);
});

test('RPT-01-partial a report whose days cannot be read says so, and has no file', async () => {
  const { open, requests, user } = start();
  await open('/reports/list/record?day=custom&from=11/02/2026&until=11/01/2026&group=north');
  const fault = 'Enter a start date, and an end date that is not before it.';
  expect(texts(screen.getAllByRole('alert'))).toEqual([fault]);
  for (const name of ['Excel export', 'Download(.csv)']) {
    await user.click(button(name));
    expect(button(name).getAttribute('aria-disabled')).toBe('true');
  }
  expect(requests(reports.exportRecords)).toEqual([]);
});

test('RPT-02 pages are numbered as far as they are counted, and go on from one to the next after that; Back leads back', async () => {
  const { open, respond, requests, user, last, address } = start();
  respond(reports.listRecords, ({ query }) => {
    const { cursor, offset = 0, limit = 10 } = query as { cursor?: string; offset?: number; limit?: number };
    const next = { '99900': 'one', one: 'two' }[cursor ?? String(offset)] ?? null;
    const result = rowsOf(
      reports.listRecords,
      Array.from({ length: limit }, (_, index) => ({ device: `${cursor ?? offset} ${index}` })),
    );
    return { ...example(reports.listRecords), result: [...result], total: 100_000, offset, more: true, next };
  });
  await open('/reports/list/goto?size=100');
  expect(screen.getByText('1–100 of more than 100,000')).toBeTruthy();
  expect(pages()).toEqual(['1', '2', '1,000']);
  expect(screen.queryByRole('button', { name: 'Continue fetching' })).toBeNull();
  await user.clear(screen.getByLabelText('Go to page'));
  await user.type(screen.getByLabelText('Go to page'), '1000{Enter}');
  expect(await screen.findByText('99,901–100,000 of more than 100,000')).toBeTruthy();
  await user.click(await screen.findByRole('button', { name: 'Continue fetching' }));
  expect(await screen.findByText('100,001–100,100 of more than 100,000')).toBeTruthy();
  expect(last()).toMatchObject({ cursor: 'one', limit: 100 });
  await user.click(await screen.findByRole('button', { name: 'Continue fetching' }));
  expect(await screen.findByText('100,101–100,200 of more than 100,000')).toBeTruthy();
  expect(requests(reports.listRecords).at(-1)?.query).toMatchObject({ cursor: 'two' });
  expect(address()).toContain('after=two');
  await expect.poll(() => screen.queryByRole('button', { name: 'Continue fetching' })).toBeNull();
});
