import { organizations, reports } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { example, startConsole } from '../../testing/console.tsx';

test('RPT-03-partial the tags of an organization are chips in its form', async () => {
  const { open, respond, sendList, user, requests } = startConsole({ role: 'main' });
  sendList(organizations.listOrganizations, [{ id: 'lake', tags: [] }]);
  respond(organizations.saveOrganization, example(organizations.saveOrganization));
  await open('/organization/setting?org=lake&tab=settings');
  await user.type(await screen.findByRole('combobox', { name: 'Tags' }), 'BD{Enter}');
  await user.click(screen.getAllByRole('button', { name: 'Save' })[0]!);
  await expect.poll(() => requests(organizations.saveOrganization)[0]?.body).toMatchObject({ tags: ['BD'] });
});

test('RPT-03-partial a chart of a group starts with the window that the server chooses for its tags', async () => {
  const { open, respond, requests } = startConsole();
  const { result } = example(reports.countRecords);
  respond(reports.countRecords, { result: { ...result, windows: ['1h', '1d'], window: '1h' } });
  const rssi = { property_id: 'rssi', property_name: 'RSSI', property_type: 'number' as const, unit: 'dBm' };
  respond(reports.listProperties, { result: [rssi] });
  await open('/reports/analysis?day=custom&from=11/01/2026&until=11/20/2026&property=rssi&group=north&value=-71.0');
  const window = screen.getByLabelText('Window');
  expect(await within(window).findByRole('option', { name: 'Automatic (1 hour)' })).toBeTruthy();
  // Records are counted by the number, as the chart has them.
  await expect.poll(() => requests(reports.countRecords).at(-1)?.query).toMatchObject({ group: 'north', value: '-71' });
});
