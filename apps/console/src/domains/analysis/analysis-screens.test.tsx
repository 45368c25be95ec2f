import { analysis, groups, reports } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { startConsole } from '../../testing/console.tsx';

test('ANA-01-partial ANA-03 a query is rejected at its fields before any call, with what is missing or does not fit', async () => {
  const { open, respond, sendList, requests, user } = startConsole();
  sendList(groups.listGroups, [{ group: 'north', groupName: 'North' }]);
  sendList(reports.listDeviceData, [{ device_id: 'd7', device_name: 'Bus 7' }]);
  const numbers = { property_id: 'rssi', property_name: 'RSSI', property_type: 'number' as const, unit: 'dBm' };
  const states = { property_id: 'online', property_name: 'Online', property_type: 'bool' as const, unit: '' };
  respond(reports.listProperties, { result: [numbers, states] });
  await open('/reports/analysis');
  const form = within(screen.getByRole('group', { name: 'Filters' }));
  const condition = form.getByLabelText<HTMLSelectElement>('Condition');
  expect(condition.value).toBe('appear');
  expect(
    within(condition)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['appear', 'more', 'less', 'equal']);
  expect(screen.getByRole('button', { name: 'Today' }).getAttribute('aria-pressed')).toBe('true');
  const draw = within(screen.getByRole('group', { name: 'Draw a chart' }));
  expect(draw.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'Devices',
    'Records',
    'Average',
    'Summary',
    'Pie chart',
    'Run chart',
  ]);
  /** Draw this chart, and read these faults. */
  const drawn = async (chart: string, ...faults: readonly (string | RegExp)[]) => {
    await user.click(draw.getByRole('button', { name: chart }));
    reads(...faults);
  };
  const reads = (...faults: readonly (string | RegExp)[]) =>
    expect(
      form.queryAllByText(/^Please enter|Condition Error|^An average|^A pie chart|^A run chart/u).map((at) => at.textContent),
    ).toEqual(faults.map((fault) => (typeof fault === 'string' ? fault : expect.stringMatching(fault))));
  const pick = async (field: RegExp, name: RegExp) => {
    await user.click(form.getByRole('button', { name: field }));
    await user.click(await screen.findByRole('option', { name }));
  };
  const property = async (name: RegExp) =>
    user.selectOptions(form.getByLabelText(/^Property/u), await form.findByRole('option', { name }));
  await drawn('Devices', 'Please enter the Group', 'Please enter the Property');
  await expect.poll(() => document.activeElement).toBe(form.getByRole('button', { name: /^Group/u }));
  await pick(/^Group/u, /North/u);
  await property(/^Online/u);
  reads();
  await drawn('Average', 'An average needs a numeric property.');
  await drawn('Run chart', /^A run chart needs/u, /^A run chart needs/u);
  await user.selectOptions(condition, 'more');
  await drawn('Devices', 'Condition Error');
  await user.selectOptions(condition, 'equal');
  await drawn('Devices', 'Please enter the Value');
  await user.type(form.getByLabelText('Value'), 'yes{Enter}');
  reads('Condition Error');
  await user.clear(form.getByLabelText('Value'));
  await user.selectOptions(condition, 'appear');
  await property(/RSSI/u);
  await drawn('Pie chart', 'A pie chart needs a non-numeric property.');
  await drawn('Records', 'Please enter the Value');
  await drawn('Summary', 'Please enter the Device');
  await user.selectOptions(condition, 'less');
  await user.type(form.getByLabelText('Value (dBm)'), 'low');
  await drawn('Devices', 'Condition Error');
  await user.clear(form.getByLabelText('Value (dBm)'));
  await user.selectOptions(condition, 'appear');
  await pick(/^Device\b/u, /Bus 7/u);
  await user.click(screen.getByRole('button', { name: 'This week' }));
  await drawn('Run chart', 'A run chart shows a single day.');
  expect(requests(analysis.listStatistics)).toEqual([]);
});

test('ANA-01-partial the value is typed in its field, is in the address when it is left, and follows an address that changes', async () => {
  const { open, visit, user, address, fill } = startConsole();
  await open('/reports/analysis?value=24');
  const value = () => screen.getByLabelText<HTMLInputElement>('Value');
  await user.click(value());
  value().setSelectionRange(0, 0);
  await user.type(value(), '1', { initialSelectionStart: 0, initialSelectionEnd: 0 });
  expect([value().value, value().selectionStart]).toEqual(['124', 1]);
  expect(address()).toContain('value=24');
  await user.tab();
  await expect.poll(address).toContain('value=124');
  await fill(value(), '7');
  await user.click(within(screen.getByRole('group', { name: 'Draw a chart' })).getByRole('button', { name: 'Devices' }));
  await expect.poll(address).toContain('value=7');
  await visit('/reports/analysis?value=9');
  await expect.poll(() => value().value).toBe('9');
});

test('ANA-01-partial SAY-11-partial the value is typed in the unit of the chart, which its field and its card name, and is sent in that of the property', async () => {
  const { open, visit, respond, requests, user, fill } = startConsole();
  const number = { property_type: 'number' as const };
  respond(reports.listProperties, {
    result: [
      { ...number, property_id: 'temperature', property_name: 'Temperature', unit: '°C' },
      { ...number, property_id: 'bytes_sent', property_name: 'Data sent', unit: 'B' },
    ],
  });
  await open('/reports/analysis?group=north&property=temperature&condition=more&value=30');
  const shown = (label: string) => screen.findByLabelText<HTMLInputElement>(label);
  const draw = () => user.click(screen.getByRole('button', { name: 'Devices' }));
  const sent = () => requests(analysis.prepareChart).map(({ body }) => body.num);
  expect((await shown('Value (°F)')).value).toBe('86');
  expect(screen.getByRole('option', { name: 'Temperature (°F)' })).toBeTruthy();
  await fill(await shown('Value (°F)'), '95');
  await draw();
  await expect.poll(sent).toEqual(['35']);
  expect(await screen.findByText(/· more than 95 °F$/u)).toBeTruthy();
  expect((await shown('Value (°F)')).value).toBe('95');
  await fill(await shown('Value (°F)'), '78');
  await draw();
  await expect.poll(sent).toEqual(['35', '25.56']);
  expect(await screen.findByText(/· more than 78 °F$/u)).toBeTruthy();
  expect((await shown('Value (°F)')).value).toBe('78');
  // Readings have a tenth of °C, and are found as they are shown.
  await user.selectOptions(screen.getByLabelText(/^Condition/u), 'equal');
  await fill(await shown('Value (°F)'), '78.1');
  await draw();
  await expect.poll(sent).toEqual(['35', '25.56', '25.6']);
  await user.selectOptions(screen.getByLabelText(/^Condition/u), 'more');
  // Copied from the screen, with its minus sign.
  await fill(await shown('Value (°F)'), '−4');
  await draw();
  await expect.poll(sent).toEqual(['35', '25.56', '25.6', '-20']);
  await fill(await shown('Value (°F)'), '95');
  await user.selectOptions(screen.getByLabelText(/^Property/u), 'bytes_sent');
  expect((await shown('Value (MB)')).value).toBe('95');
  await fill(await shown('Value (MB)'), '1.5');
  await draw();
  await expect.poll(() => sent().at(-1)).toBe('1500000');
  expect(await screen.findByText(/· more than 1\.5 MB$/u)).toBeTruthy();
  // What is not typed stays as it is stored, not as a tenth of °F has it.
  await visit('/reports/analysis?group=north&property=temperature&condition=more&value=25.6');
  expect((await shown('Value (°F)')).value).toBe('78.1');
  await user.selectOptions(screen.getByLabelText(/^Condition/u), 'less');
  await draw();
  await expect.poll(sent).toHaveLength(6);
  expect(sent()[5]).toBe('25.6');
});
