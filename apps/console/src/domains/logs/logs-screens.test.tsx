import { logs } from '@highline/contract';
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { button, startConsole } from '../../testing/console.tsx';

const HASH = 'ab'.repeat(32);
const entry = {
  seq: 7,
  email: 'ana@lakeshore.example',
  ip: '192.0.2.7',
  subject: 'Changed vehicle number, note of device HL-1',
  sentence: null,
  detail: { before: { vehicleNumber: '' }, after: { vehicleNumber: 'Bus 7' } },
  about: { kind: 'device', id: 'one' },
  key: null,
  with: [],
  hash: HASH,
};

test('LOG-01 HKS-04-partial a row says who did what from where and when; a long action is whole in its dialog', async () => {
  const { open, sendList, user, rows, advance } = startConsole({ timers: 'fake' });
  sendList(logs.listLogs, [entry]);
  await open('/logs');
  expect(screen.getByRole('link', { name: 'Logs' }).getAttribute('aria-current')).toBe('page');
  expect(
    screen
      .getAllByRole('columnheader')
      .slice(1)
      .map(({ textContent }) => textContent?.trim()),
  ).toEqual(['#', 'Date/Time', 'Cloud User', 'IP Address', 'Action']);
  for (const text of [entry.email, entry.ip]) expect(rows()[0]!.textContent).toContain(text);
  await user.click(button(entry.subject));
  const dialog = screen.getByRole('alertdialog');
  expect(within(dialog).getByRole('row', { name: 'Vehicle number none Bus 7' })).toBeTruthy();
  expect(within(dialog).getByRole('link', { name: 'Open the device' }).getAttribute('href')).toBe('/devices/setting?device=one');
  expect(within(dialog).getByText(HASH).closest('details')?.open).toBe(false);
  await user.click(button('OK'));
  // An action while the page is open, shown after 60 s.
  const long = `Changed ${'x'.repeat(192)}`;
  sendList(logs.listLogs, [{ ...entry, seq: 8, subject: long, key: 'Fleet sync (hlk_ab)' }]);
  await advance(70_000);
  await user.click(await screen.findByRole('button', { name: `${long.slice(0, 118)}…` }));
  expect(rows()[0]!.textContent).toContain('by API key Fleet sync (hlk_ab)');
  expect(screen.getByRole('alertdialog').textContent).toContain(long);
});

test.each([
  ['main', 'organization', 'Open the organization', '/organization/setting?org=one&tab=overview'],
  ['main', 'router', 'Open the router', '/inventory/router?router=one'],
  ['main', 'job', 'Open the job', '/jobs/detail?job=one'],
  ['main', 'account', undefined, undefined],
  ['admin', 'account', 'Open the user', '/users/detail?user=one'],
  ['admin', 'group', 'Open the group', '/groups/detail?group=one'],
  ['admin', 'organization', undefined, undefined],
  ['user', 'job', undefined, undefined],
] as const)(
  'LOG-01-partial for %s an entry about a %s leads to it where this role may open it',
  async (role, kind, name, href) => {
    const { open, sendList, user } = startConsole({ role });
    sendList(logs.listLogs, [{ ...entry, about: { kind, id: 'one' } }]);
    await open(role === 'main' ? '/organization/setting?org=lakeshore&tab=log' : '/logs');
    await user.click(await screen.findByRole('button', { name: entry.subject }));
    const link = within(screen.getByRole('alertdialog')).queryByRole('link', { name: /^Open the/u });
    expect([link?.textContent?.trim(), link?.getAttribute('href')]).toEqual([name, href]);
  },
);

test('LOG-01-partial it is searched as typed, and filtered by days, person and kind, and so is its file', async () => {
  const { open, respond, sendList, requests, user, downloads, address } = startConsole();
  sendList(logs.listLogs, [entry]);
  respond(logs.logPeople, { result: ['ana@lakeshore.example', 'kim@highline.example'] });
  respond(logs.exportLogs, new Blob(['#']) as never);
  await open('/logs');
  const last = () => requests(logs.listLogs).at(-1)?.query;
  const pick = async (filter: string, option: string) => {
    await user.click(button(`Filter by ${filter}`));
    await user.click(await screen.findByRole('option', { name: option }));
  };
  await user.type(screen.getByRole('searchbox'), 'KIM@');
  await expect.poll(last).toMatchObject({ search: 'KIM@', zone: 'America/Chicago' });
  await user.click(button('Clear'));
  for (const [name, span] of [
    ['Today', 'today'],
    ['This week', 'week'],
    ['This month', 'month'],
  ] as const) {
    await pick('Date', name);
    await expect.poll(last).toMatchObject({ span });
  }
  await pick('Person', 'kim@highline.example');
  await pick('About', 'Groups');
  await expect.poll(last).toMatchObject({ span: 'month', person: 'kim@highline.example', kind: 'group' });
  await user.click(button(/About: Groups/u));
  await expect.poll(address).not.toContain('kind');
  await pick('Date', 'Custom');
  for (const [label, day] of [
    ['From', '01/06/2025'],
    ['Until', '01/05/2025'],
    ['Until', '01/06/2025'],
  ] as const) {
    fireEvent.change(screen.getByLabelText(label), { target: { value: day } });
    fireEvent.blur(screen.getByLabelText(label));
  }
  await expect.poll(last).toMatchObject({ span: 'custom', from: '01/06/2025', until: '01/06/2025' });
  await user.click(button('Download(.csv)'));
  await expect.poll(() => downloads.map(({ name }) => name)).toEqual(['Logs_export.csv']);
  expect(requests(logs.exportLogs)[0]?.query).toMatchObject({
    span: 'custom',
    from: '01/06/2025',
    person: 'kim@highline.example',
    language: 'en-US',
    columns: 'number,time,user,ip,action',
  });
});

test('LOG-01-partial days of an address from further east end with today of the zone', async () => {
  const { open, requests } = startConsole({ now: '2026-11-24T02:00:00Z' });
  await open('/logs?span=custom&from=11/24/2026&until=11/24/2026');
  expect(requests(logs.listLogs).at(-1)?.query).toMatchObject({
    from: '11/23/2026',
    until: '11/23/2026',
    zone: 'America/Chicago',
  });
  const until = screen.getByLabelText<HTMLInputElement>('Until');
  expect([until.value, until.getAttribute('aria-invalid')]).toEqual(['11/23/2026', null]);
});

test('LOG-01-partial a day that does not exist leaves the days of the list as they are, and none takes its day away', async () => {
  const { open, requests, user, address } = startConsole();
  await open('/logs?span=custom&until=11/20/2026');
  const until = screen.getByLabelText('Until');
  await user.type(until, '1');
  await user.tab();
  expect(screen.getByText('Invalid Until format')).toBeTruthy();
  expect(decodeURIComponent(address())).toBe('/logs?span=custom&until=11/20/2026');
  expect(requests(logs.listLogs).every(({ query }) => query.until === '11/20/2026')).toBe(true);
  await user.clear(until);
  await expect.poll(() => requests(logs.listLogs).at(-1)?.query.until).toBeUndefined();
});

test('LOG-01-partial in Chinese the sentence is Chinese, and the stored English one is under the proof', async () => {
  const { open, sendList, user } = startConsole({ language: 'zh-TW' });
  sendList(logs.listLogs, [
    { ...entry, sentence: { key: 'device.changed', params: [{ terms: ['vehicle number', 'note'] }, 'HL-1'] } },
  ]);
  await open('/logs');
  const sentence = '已變更裝置 HL-1 的車輛編號、備註';
  await user.click(button(sentence));
  const dialog = screen.getByRole('alertdialog');
  expect(within(dialog).getByText(sentence)).toBeTruthy();
  expect(within(dialog).getByText(entry.subject).closest('details')?.open).toBe(false);
});
