import { alerts, organizations, geofences, groups, places as placeCalls, webhooks } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { example, startConsole } from '../../testing/console.tsx';

const button = (name: string) => screen.getByRole('button', { name });
const row = (text: string) => screen.getByRole('row', { name: new RegExp(text, 'u') });
const rule = (parts: Partial<alerts.Rule> = {}): alerts.Rule => ({
  ...example(alerts.listRules).result[0]!,
  id: 'r',
  name: 'Lost at night',
  enabled: true,
  missing: false,
  open: 2,
  failingChannels: 0,
  forSeconds: 300,
  condition: { kind: 'offline' as const },
  scope: { kind: 'group' as const, group: 'night' },
  ...parts,
});

const names: Readonly<Record<string, string>> = { night: 'Night buses', far: 'Zoo line' };

function start(rules: readonly alerts.Rule[], role: 'admin' | 'user' = 'admin') {
  const started = startConsole({ role });
  started.respond(alerts.listRules, { result: [...rules] });
  started.sendList(groups.listGroups, [{ group: 'night', groupName: 'Night buses' }]);
  const { result } = example(groups.getGroup);
  started.respond(groups.getGroup, ({ params: { group } }) => ({
    result: { ...result, group, groupName: names[group] ?? 'Other' },
  }));
  started.respond(geofences.listGeofences, { result: [] });
  return started;
}

test('ALR-01 a rule that contradicts itself says so; each kind has its fields, and what is saved is as it is read then', async () => {
  const { open, respond, requests, user } = start([]);
  await open('/alerts/rules');
  await user.click(await screen.findByRole('button', { name: 'Add rule' }));
  const dialog = within(screen.getByRole('dialog'));
  const choose = (label: string | RegExp, value: string) => user.selectOptions(dialog.getByLabelText(label), value);
  await user.type(dialog.getByLabelText(/^Name/u), 'Lost at night');
  const kinds = within(dialog.getByLabelText('Condition')).getAllByRole<HTMLOptionElement>('option');
  expect(kinds.map(({ value }) => value)).toEqual(alerts.conditionKinds);
  await choose('Condition', 'reading');
  await choose('Fires when it is', 'above');
  await user.type(dialog.getByLabelText(/^Clears at/u), '-100');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(dialog.getByText(/^This is above the threshold, so the alert would fire again/u)).toBeTruthy();
  await choose('Condition', 'geofence');
  await choose('Fires when the vehicle', 'entered');
  expect(dialog.getByLabelText('Geofence').textContent).toContain('Any geofence');
  await user.click(dialog.getByLabelText('Only at certain hours'));
  await choose('Time zone of the hours', 'America/New_York');
  expect(dialog.getByText('Active hours (America/New_York)')).toBeTruthy();
  await user.click(dialog.getByLabelText('Only at certain hours'));
  await choose('Condition', 'offline');
  await choose('Severity', 'critical');
  await user.clear(dialog.getByLabelText('For how long, in minutes'));
  await user.type(dialog.getByLabelText('For how long, in minutes'), '5');
  await choose('Applies to', 'group');
  await user.click(dialog.getByRole('button', { name: /^Group/u }));
  await user.type(dialog.getByRole('combobox', { name: 'Group' }), 'night');
  await expect.poll(() => requests(groups.listGroups).at(-1)?.query.search).toBe('night');
  await user.click(await dialog.findByRole('option', { name: 'Night buses' }));
  await user.type(dialog.getByLabelText(/^Emails to/u), 'nowhere');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(dialog.getByText('nowhere is not an email address.')).toBeTruthy();
  await user.clear(dialog.getByLabelText(/^Emails to/u));
  await user.type(dialog.getByLabelText(/^Emails to/u), 'depot@lakeshore.example');
  await user.click(dialog.getByLabelText('Notify others if no one acknowledges the alert'));
  await user.type(dialog.getByLabelText('Then emails to'), 'boss@lakeshore.example');
  respond(alerts.addRule, { result: rule() });
  respond(alerts.listRules, { result: [rule()] });
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  const shown = await screen.findByRole('row', { name: /Lost at night/u });
  for (const text of ['Offline for longer than 5 min', 'Group Night buses']) expect(shown.textContent).toContain(text);
  expect(within(shown).getByRole('link', { name: '2' }).getAttribute('href')).toBe('/alerts?rule=r&state=open');
  expect(requests(alerts.addRule).map(({ body }) => body)).toMatchObject([
    {
      name: 'Lost at night',
      severity: 'critical',
      condition: { kind: 'offline' },
      forSeconds: 300,
      scope: { kind: 'group', group: 'night' },
      channels: { mails: ['depot@lakeshore.example'], escalation: { mails: ['boss@lakeshore.example'] } },
    },
  ]);
});

test('ALR-01-partial a rule for a group is named by it, however many groups there are', async () => {
  const { open, user } = start([rule({ scope: { kind: 'group', group: 'far' } })]);
  await open('/alerts/rules');
  await expect.poll(() => row('Lost at night').textContent).toContain('Group Zoo line');
  await user.click(screen.getByRole('button', { name: 'Lost at night' }));
  expect(await within(screen.getByRole('dialog')).findByRole('button', { name: 'Group Zoo line' })).toBeTruthy();
});

test('ALR-01-partial commas of a number group thousands, and one that separates decimals is no number', async () => {
  const { open, requests, respond, user } = start([]);
  respond(alerts.addRule, { result: rule() });
  await open('/alerts/rules');
  await user.click(await screen.findByRole('button', { name: 'Add rule' }));
  const dialog = within(screen.getByRole('dialog'));
  await user.type(dialog.getByLabelText(/^Name/u), 'Much data');
  await user.type(dialog.getByLabelText(/^Emails to/u), 'depot@lakeshore.example');
  await user.selectOptions(dialog.getByLabelText('Condition'), 'data-use');
  const megabytes = dialog.getByLabelText<HTMLInputElement>(/^Megabytes/u);
  await user.clear(megabytes);
  await user.type(megabytes, '5,5');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await expect.poll(() => megabytes.getAttribute('aria-invalid')).toBe('true');
  await user.clear(megabytes);
  await user.type(megabytes, '5,000');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await expect.poll(() => requests(alerts.addRule)[0]?.body.condition).toEqual({ kind: 'data-use', megabytes: 5_000 });
  expect(requests(alerts.addRule)).toHaveLength(1);
});

test('ALR-02-partial ALR-05-partial a rule is tried on the past before it is saved, and a webhook that cannot be reached says so', async () => {
  const { open, respond, sendList, requests, user, hold, loaded } = start([]);
  sendList(webhooks.listWebhooks, [{ id: 'w', name: 'Dispatch', format: 'slack', state: 'active' }]);
  const moment = { device: 'one', serial_number: 'HL-1', vehicle_number: '', fired: 1_795_435_200, cleared: null, value: null };
  respond(alerts.replay, { result: { replayed: true, count: 1, devices: 1, isCut: false, moments: [moment] } });
  respond(webhooks.testWebhook, { result: { ...example(webhooks.testWebhook).result, state: 'failed', error: 'no such host' } });
  await open('/alerts/rules');
  await user.click(await screen.findByRole('button', { name: 'Add rule' }));
  const dialog = within(screen.getByRole('dialog'));
  await user.type(dialog.getByLabelText(/^Name/u), 'Carrier outage');
  const release = hold(alerts.replay);
  await user.click(dialog.getByRole('button', { name: 'Try on the last 7 days' }));
  // Another rule than the one that is tried: its response is not shown.
  await user.selectOptions(dialog.getByLabelText('Condition'), 'reading');
  release();
  await loaded();
  expect(dialog.queryByText(/^Would have fired/u)).toBeNull();
  await user.selectOptions(dialog.getByLabelText('Condition'), 'offline');
  expect(await dialog.findByText('Would have fired 1 time in the last 7 days.')).toBeTruthy();
  expect(dialog.getByText('HL-1')).toBeTruthy();
  const channel = within(dialog.getByRole('group', { name: 'Webhooks, Slack and Microsoft Teams' }));
  await user.click(await channel.findByLabelText('Dispatch · Slack message'));
  await user.click(channel.getByRole('button', { name: 'Send a test: Dispatch' }));
  expect(await screen.findByText(/^Dispatch did not accept the test:/u)).toBeTruthy();
  expect(requests(alerts.addRule)).toEqual([]);
});

test('ALR-01-partial a user reads the rules and adds none', async () => {
  const { open } = start([rule()], 'user');
  await open('/alerts/rules');
  expect((await screen.findByRole('row', { name: /Lost at night/u })).textContent).toContain('2');
  expect(button('Add rule').getAttribute('aria-disabled')).toBe('true');
  expect(screen.queryByRole('button', { name: 'Lost at night' })).toBeNull();
});

test('ALR-03 ALR-06-partial alerts are acknowledged together with a note; one that ended says why, and a storm is one line, with a place', async () => {
  const { open, respond, sendList, requests, user, address } = start([rule()]);
  const fired = {
    ruleName: 'Lost at night',
    state: 'firing' as const,
    resolution: null,
    note: '',
    acknowledgedBy: '',
    storm: null,
  };
  const vehicle = (id: string) => ({ id, device: id, serial_number: `HL-${id}`, vehicle_number: '' });
  const outside = { latitude: 41.97, longitude: -87.69, geofence: null };
  const storm = { id: 's', count: 12, state: 'firing' as const, open: 12, firing: 12, carriers: [], groups: [] };
  sendList(alerts.listAlerts, [
    { ...fired, ...vehicle('a') },
    { ...fired, ...vehicle('b') },
    { ...fired, ...vehicle('c'), state: 'resolved', resolution: 'cleared' },
    { ...fired, ...vehicle('d'), place: outside, storm: { ...storm, places: [{ name: '', count: 12 }] } },
    { ...fired, ...vehicle('e'), place: outside, storm: { ...storm, id: 's2', places: [{ name: 'North depot', count: 12 }] } },
  ]);
  respond(placeCalls.describePlaces, { result: [{ street: 'Foster Avenue', crossing: null, near: null }] });
  await open('/alerts');
  // SAY-06: outside of every geofence it says where the newest was.
  await expect.poll(() => row('HL-d').textContent).toContain('Foster Avenue');
  expect(row('HL-e').textContent).toContain('North depot');
  expect(row('HL-e').textContent).not.toContain('Foster Avenue');
  expect(row('HL-c').textContent).toContain('condition ended');
  expect(within(row('HL-a')).getByRole('link', { name: 'HL-a' }).getAttribute('href')).toBe('/devices/setting?device=a');
  for (const id of ['a', 'b']) await user.click(within(row(`HL-${id}`)).getByRole('checkbox'));
  await user.click(within(screen.getByRole('toolbar')).getByRole('button', { name: 'Acknowledge' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Acknowledge 2 alerts' }));
  await user.type(dialog.getByLabelText(/^Note/u), 'Depot has no power');
  const noted = { ...fired, state: 'acknowledged' as const, acknowledgedBy: 'ana@lakeshore.example', note: 'Depot has no power' };
  sendList(alerts.listAlerts, [
    { ...noted, ...vehicle('a') },
    {
      ...fired,
      ...vehicle('d'),
      storm: { id: 's', count: 12, state: 'firing' as const, open: 12, firing: 12, carriers: [], groups: [], places: [] },
    },
  ]);
  respond(alerts.acknowledge, example(alerts.acknowledge));
  await user.click(dialog.getByRole('button', { name: 'Acknowledge' }));
  await expect.poll(() => row('HL-a').textContent).toContain('ana@lakeshore.example');
  expect(row('HL-a').textContent).toContain('Depot has no power');
  expect(requests(alerts.acknowledge)[0]?.body).toMatchObject({ alerts: ['a', 'b'], note: 'Depot has no power' });
  await user.click(screen.getByRole('link', { name: '12 vehicles at once' }));
  await expect.poll(address).toBe('/alerts?storm=s');
});

test('ALR-03-partial ALR-06-partial the line of a storm is acknowledged with all of its alerts, and says how many are not', async () => {
  const { open, respond, sendList, requests, user } = start([rule()]);
  const storm = { id: 's', count: 40, state: 'firing' as const, open: 40, firing: 39, carriers: [], groups: [], places: [] };
  const alert = { ruleName: 'Lost', resolution: null, note: '', geofence: null, value: null };
  const newest = { ...alert, id: 'a', state: 'acknowledged' as const, acknowledgedBy: 'ana@lakeshore.example', storm };
  const single = { ...alert, id: 'b', serial_number: 'HL-b', vehicle_number: '', state: 'firing' as const, acknowledgedBy: '' };
  sendList(alerts.listAlerts, [newest, { ...single, storm: null }]);
  await open('/alerts');
  await expect.poll(() => row('40 vehicles at once').textContent).toContain('Firing39 not acknowledged');
  expect(row('40 vehicles at once').textContent).not.toContain('ana@lakeshore.example');
  for (const text of ['40 vehicles at once', 'HL-b']) await user.click(within(row(text)).getByRole('checkbox'));
  await user.click(within(screen.getByRole('toolbar')).getByRole('button', { name: 'Acknowledge' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Acknowledge 40 alerts' }));
  respond(alerts.acknowledge, { result: { acknowledged: 40 } });
  sendList(alerts.listAlerts, [{ ...newest, storm: { ...storm, state: 'acknowledged', firing: 0 } }]);
  await user.click(dialog.getByRole('button', { name: 'Acknowledge' }));
  expect(await screen.findByText('40 alerts were acknowledged.')).toBeTruthy();
  expect(requests(alerts.acknowledge)[0]?.body.alerts).toEqual(['s', 'b']);
  await expect.poll(() => row('40 vehicles at once').textContent).toContain('Acknowledgedana@lakeshore.example');
});

test('SAY-06-partial ALR-06-partial who searches for a vehicle of a storm sees the vehicle', async () => {
  const { open, sendList, requests } = start([rule()]);
  const storm = { id: 's', count: 12, state: 'firing' as const, open: 12, firing: 12, carriers: [], groups: [], places: [] };
  sendList(alerts.listAlerts, [{ id: 'd', device: 'd', serial_number: 'HL-d', vehicle_number: 'Bus 2104', storm }]);
  await open('/alerts?search=2104&field=vehicle');
  expect(screen.getByRole('link', { name: 'Bus 2104' }).getAttribute('href')).toBe('/devices/setting?device=d');
  expect(screen.queryByText('12 vehicles at once')).toBeNull();
  expect(requests(alerts.listAlerts).at(-1)?.query.grouped).toBeUndefined();
});

test('ALR-03-partial ATT-03-partial alerts of one organization say so, and show those of all once that is taken away', async () => {
  const { open, respond, sendList, requests, user } = startConsole({ role: 'main' });
  const { result } = example(organizations.listOrganizations);
  respond(organizations.listOrganizations, {
    result: { ...result, list: [{ ...result.list[0]!, id: 'lakeshore', name: 'Lakeshore' }] },
  });
  sendList(alerts.listAlerts, []);
  await open('/alerts?state=firing&org=lakeshore');
  await user.click(await screen.findByRole('button', { name: 'Remove filter Organization: Lakeshore' }));
  await expect.poll(() => requests(alerts.listAlerts).at(-1)?.query.org).toBeUndefined();
});

test('RPM-03-partial a report that was not sent is in the inbox by its name, and leads to the summaries', async () => {
  const { open, sendList, address, user } = start([]);
  sendList(alerts.listAlerts, [
    {
      ...example(alerts.listAlerts).result[0]!,
      id: 'a',
      kind: 'report-failed',
      ruleName: '定期報表未寄出',
      device: '',
      serial_number: '',
      vehicle_number: 'For the boss',
      value: null,
      geofence: null,
      storm: null,
    },
  ]);
  await open('/alerts');
  expect(row('For the boss').textContent).toContain('Summary not sent');
  await user.click(screen.getByRole('link', { name: 'For the boss' }));
  await expect.poll(address).toBe('/summaries');
});

test.each([
  ['TPL-06-partial', 'backups-stopped', 'Nightly backups stopped', '', '/backups'],
  ['TPL-03-partial', 'settings-waiting', 'Routers wait for settings', '', '/groups/settings/devices'],
  ['TPL-03-partial', 'settings-waiting', 'Routers wait for settings', 'north', '/groups/settings/devices?group=north'],
] as const)('%s what no rule has to watch is in the inbox in the language of the reader, and leads there: %s', async (...row) => {
  const [, kind, text, group, page] = row;
  const { open, sendList } = start([]);
  const alert = { ...example(alerts.listAlerts).result[0]!, device: '', serial_number: '', value: null, geofence: null };
  sendList(alerts.listAlerts, [{ ...alert, id: 'a', kind, group, ruleName: '路由器', vehicle_number: 'What', storm: null }]);
  await open('/alerts');
  expect(screen.getByRole('row', { name: /What/u }).textContent).toContain(text);
  expect(screen.getByRole('link', { name: 'What' }).getAttribute('href')).toBe(page);
});

test('LIV-04-partial a rule runs a ping at an interval, is slow from a limit on, and runs a traceroute when it fires', async () => {
  const { open, respond, fail, requests, user } = start([]);
  await open('/alerts/rules');
  await user.click(await screen.findByRole('button', { name: 'Add rule' }));
  const dialog = within(screen.getByRole('dialog'));
  await user.type(dialog.getByLabelText(/^Name/u), 'Depot');
  await user.selectOptions(dialog.getByLabelText('Condition'), 'A test by the router fails');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText('Enter a host name or an address.')).toBeTruthy();
  await user.type(dialog.getByLabelText('Host name or address'), '192.0.2.7');
  await user.selectOptions(dialog.getByLabelText('How often'), '15 min');
  await user.type(dialog.getByLabelText(/^Also when slower than/u), '200');
  expect(dialog.queryByRole('option', { name: 'Devices of a shared view' })).toBeNull();
  await user.click(dialog.getByLabelText('Do something by itself when an alert fires'));
  await user.selectOptions(dialog.getByLabelText('What'), 'Run a test');
  await user.selectOptions(dialog.getAllByLabelText('Test')[1]!, 'Traceroute');
  await user.type(dialog.getAllByLabelText('Host name or address')[1]!, 'depot.example');
  await user.click(dialog.getByLabelText('Also email the first admin of the organization'));
  fail(alerts.addRule, 'tool.target_not_allowed', { field: 'condition.test' });
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText(/^Your organization does not allow tests of this address/u)).toBeTruthy();
  const ping = { tool: 'ping' as const, host: '192.0.2.7', ipVersion: 'any' as const, count: 4, bytes: 32 };
  const condition = { kind: 'test' as const, test: ping, everyMinutes: 15, slowerThan: 200 };
  const tested = { ...rule(), name: 'Depot', condition, forSeconds: 900 };
  respond(alerts.addRule, { result: tested });
  respond(alerts.listRules, { result: [tested] });
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  const shown = await screen.findByRole('row', { name: /Depot/u });
  expect(shown.textContent).toContain('Ping to 192.0.2.7 fails or takes more than 200 ms, tested every 15 min for 15 min');
  expect(requests(alerts.addRule).at(-1)!.body).toMatchObject({
    condition,
    action: { does: { kind: 'test', test: { tool: 'traceroute', host: 'depot.example', hops: 20 } } },
  });
});
