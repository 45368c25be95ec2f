import { alertPeople, alerts, commands, geofences, groups, places, webhooks } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { example, Failed, startConsole } from '../../testing/console.tsx';

const rule = (parts: Partial<alerts.Rule> = {}): alerts.Rule => ({
  ...example(alerts.listRules).result[0]!,
  id: 'r',
  name: 'Lost',
  enabled: true,
  missing: false,
  open: 0,
  failingChannels: 0,
  condition: { kind: 'offline' },
  forSeconds: 300,
  hours: null,
  scope: { kind: 'all' },
  channels: { mails: [], escalation: null, quiet: null },
  informed: [],
  informedCount: 0,
  action: null,
  actsFor: null,
  ...parts,
});

function start(rules: readonly alerts.Rule[]) {
  const started = startConsole();
  started.respond(alerts.listRules, { result: [...rules] });
  started.sendList(groups.listGroups, []);
  started.respond(geofences.listGeofences, { result: [] });
  started.sendList(webhooks.listWebhooks, []);
  started.sendList(alertPeople.listPeople, []);
  return started;
}
const rowOf = async (name: string) => screen.findByRole('row', { name: new RegExp(name, 'u') });

test('SAY-05-partial a rule that informs no one is marked in the list, and is saved only after saying so', async () => {
  const { open, respond, sendList, requests, user } = start([
    rule({ name: 'Silent' }),
    rule({ id: 'f', name: 'First', channels: { mails: [], firstAdmin: true, escalation: null, quiet: null } }),
    rule({ id: 'm', name: 'Many', informed: ['a@x.example', 'b@x.example'], informedCount: 2 }),
  ]);
  const [person] = example(alertPeople.listPeople).result;
  // Signed out of the only browser.
  sendList(alertPeople.listPeople, [{ ...person!, severities: [...alerts.severities], channels: ['push'], browsers: 0 }]);
  await open('/alerts/rules');
  expect((await rowOf('Silent')).textContent).toContain('No one');
  expect((await rowOf('First')).textContent).toContain('The first admin, once there is one');
  expect((await rowOf('Many')).textContent).toContain('a@x.example, +1 more');
  await user.click(screen.getByRole('button', { name: 'Silent' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Rule Silent' }));
  await user.type(dialog.getByLabelText(/^Name/u), ' one');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  const question = within(await screen.findByRole('alertdialog', { name: 'This rule notifies no one' }));
  await user.click(question.getByRole('button', { name: 'Cancel' }));
  expect(requests(alerts.saveRule)).toEqual([]);
  await user.click(dialog.getByRole('button', { name: 'Add my address' }));
  await user.click(dialog.getByLabelText('Also email the first admin of the organization'));
  respond(alerts.saveRule, { result: rule() });
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await expect.poll(() => requests(alerts.saveRule)).toHaveLength(1);
  expect(requests(alerts.saveRule)[0]?.body).toMatchObject({ channels: { mails: ['ana@lakeshore.example'], firstAdmin: true } });
});

test('SAY-05-partial a rule that only one of many people gets is saved without a question', async () => {
  const { open, respond, sendList, requests, user } = start([rule({ name: 'Silent' })]);
  const [person] = example(alertPeople.listPeople).result;
  const people = Array.from({ length: 201 }, (_, index) => ({
    ...person!,
    mail: `p${index}@x.example`,
    severities: index < 200 ? [] : [...alerts.severities],
    channels: ['mail' as const],
  }));
  sendList(alertPeople.listPeople, people);
  await open('/alerts/rules');
  await rowOf('Silent');
  await user.click(screen.getByRole('button', { name: 'Silent' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Rule Silent' }));
  await user.type(dialog.getByLabelText(/^Name/u), ' one');
  respond(alerts.saveRule, { result: rule() });
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await expect.poll(() => requests(alerts.saveRule)).toHaveLength(1);
});

test('SAY-05-partial who is notified of what is one screen: severities, hours, channels, rules and notifications of each person', async () => {
  const { open, respond, sendList, requests, user } = start([]);
  sendList(alertPeople.listPeople, [
    {
      mail: 'ana@lakeshore.example',
      name: 'Ana Ruiz',
      role: 'admin',
      severities: ['critical'],
      hours: { days: [1, 2], from: '08:00', until: '18:00', zone: 'UTC' },
      channels: ['mail', 'push'],
      rules: [{ id: 'r', name: 'Lost', severity: 'critical' }],
      events: ['BATTERY_LOW'],
      browsers: 2,
    },
    {
      mail: 'duty@x.example',
      name: '',
      role: null,
      severities: [],
      hours: null,
      channels: [],
      rules: [],
      events: [],
      browsers: 0,
    },
  ]);
  await open('/alerts/people');
  const own = (await rowOf('Ana Ruiz')).textContent;
  for (const text of ['ana@lakeshore.example', 'Critical', 'Mon, Tue 08:00–18:00', 'Push (2 browsers)', 'Lost', '1 event'])
    expect(own).toContain(text);
  expect((await rowOf('duty@x.example')).querySelector('td')?.textContent).toBe('duty@x.exampleNo account with access');
  await user.click(screen.getByRole('button', { name: 'Edit duty@x.example' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Alerts of duty@x.example' }));
  await user.click(dialog.getByLabelText('Critical'));
  await user.click(dialog.getByLabelText(/^Only at certain hours/u));
  respond(alertPeople.savePerson, example(alertPeople.savePerson));
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await expect.poll(() => requests(alertPeople.savePerson)).toHaveLength(1);
  expect(requests(alertPeople.savePerson)[0]?.body).toEqual({
    mail: 'duty@x.example',
    severities: ['critical'],
    hours: { days: [1, 2, 3, 4, 5], from: '08:00', until: '18:00', zone: 'America/Chicago' },
    channels: ['mail'],
  });
});

test('SAY-05-partial language and time zone are those of the person: of the own entry and of a new address they are those of this console', async () => {
  const { open, respond, sendList, requests, user } = start([]);
  const entry = { name: '', role: null, severities: [], hours: null, channels: [], rules: [], events: [], browsers: 0 };
  sendList(alertPeople.listPeople, [{ ...entry, mail: 'ana@lakeshore.example' }]);
  respond(alertPeople.savePerson, example(alertPeople.savePerson));
  await open('/alerts/people');
  await rowOf('ana@lakeshore.example');
  await user.click(screen.getByRole('button', { name: 'Edit ana@lakeshore.example' }));
  await user.click(within(screen.getByRole('dialog')).getByLabelText('Critical'));
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Save' }));
  await expect.poll(() => requests(alertPeople.savePerson)).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: 'Add a person' }));
  await user.type(within(screen.getByRole('dialog')).getByLabelText(/^Person/u), 'duty@x.example');
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Save' }));
  await expect.poll(() => requests(alertPeople.savePerson)).toHaveLength(2);
  const locale = { language: 'en-US', zone: 'America/Chicago' };
  expect(requests(alertPeople.savePerson).map(({ body }) => body)).toMatchObject([locale, locale]);
});

test('SAY-05-partial an added address that has an entry already, and one that someone else changes, are replaced only after saying so', async () => {
  const { open, respond, sendList, requests, user } = start([]);
  const [first] = example(alertPeople.listPeople).result;
  const entry = { ...first!, mail: 'duty@x.example', name: 'Duty', version: 'b' };
  sendList(alertPeople.listPeople, [entry]);
  respond(alertPeople.savePerson, () => new Failed('conflict.stale', { detail: { ...entry, version: 'c' } }));
  await open('/alerts/people');
  await rowOf('duty@x.example');
  const save = async (text: RegExp) => {
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Save' }));
    const warning = within(await screen.findByRole('alertdialog'));
    expect(warning.getByText(text)).toBeTruthy();
    await user.click(warning.getByRole('button', { name: 'OK' }));
  };
  const tags = () => requests(alertPeople.savePerson).map(({ ifMatch }) => ifMatch);
  await user.click(screen.getByRole('button', { name: 'Add a person' }));
  await user.type(within(screen.getByRole('dialog')).getByLabelText(/^Person/u), 'Duty@x.example');
  await save(/^duty@x.example has its own choice of alerts already/u);
  respond(alertPeople.savePerson, example(alertPeople.savePerson));
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Save' }));
  await expect.poll(tags).toEqual(['"none"', '"c"']);
  // The language of someone else is not replaced by that of who saves.
  expect(requests(alertPeople.savePerson).map(({ body }) => body.language)).toEqual(['en-US', undefined]);
  respond(alertPeople.savePerson, () => new Failed('conflict.stale', { detail: { ...entry, version: 'c' } }));
  await user.click(screen.getByRole('button', { name: 'Edit duty@x.example' }));
  await user.click(within(screen.getByRole('dialog')).getByLabelText('Warning'));
  await save(/^Someone else changed/u);
  expect(tags().at(-1)).toBe('"b"');
});

test('SAY-06-partial SAY-07-partial the inbox opens on what is open, by severity; a storm says its carriers, groups and places, and a row opens what it is about', async () => {
  const { open, respond, sendList, requests, user, address } = start([]);
  const storm = {
    id: 's',
    count: 5,
    state: 'firing' as const,
    open: 4,
    firing: 4,
    carriers: [{ name: 'US Cellular', count: 5 }],
    groups: [
      { name: 'Light rail', count: 3 },
      { name: 'Airport line', count: 2 },
    ],
    places: [
      { name: 'North depot', count: 4 },
      { name: '', count: 1 },
    ],
  };
  const place = { latitude: 41.911_47, longitude: -87.686_05, geofence: null };
  const alert = {
    ruleName: 'Lost',
    state: 'firing' as const,
    resolution: null,
    note: '',
    acknowledgedBy: '',
    geofence: null,
    value: null,
  };
  respond(places.describePlaces, { result: [{ street: 'Foster Avenue', crossing: 'Western Avenue', near: null }] });
  sendList(alerts.listAlerts, [
    { ...alert, id: 'a', device: 'a', serial_number: 'HL-a', vehicle_number: 'Supervisor 4', storm },
    {
      ...alert,
      id: 'b',
      device: 'b',
      serial_number: 'HL-b',
      vehicle_number: 'Bus 9',
      storm: null,
      kind: 'subscription-ends',
      value: -395,
      carrier: 'Verizon',
      groupName: 'Yard',
      place,
      since: 1_795_430_000,
      resolved: 1_795_433_900,
    },
  ]);
  await open('/alerts');
  expect(requests(alerts.listAlerts).at(-1)?.query).toMatchObject({ state: 'open', sort: '-severity', grouped: 'true' });
  const line = (await rowOf('5 vehicles at once')).textContent;
  for (const text of ['4 are still open', 'US Cellular', 'Light rail 3, Airport line 2', 'North depot 4, elsewhere 1'])
    expect(line).toContain(text);
  // What is long goes on below and does not lie over the next column.
  expect(screen.getByText('Light rail 3, Airport line 2').className).toBe('table__flow');
  expect(line).not.toContain('Supervisor 4');
  const single = await rowOf('Bus 9');
  for (const text of ['ended 395 days ago', 'Verizon', 'Yard', 'Foster Avenue at Western Avenue', '1 h 5 min'])
    expect(single.textContent).toContain(text);
  expect(within(single).getByRole('link', { name: 'Foster Avenue at Western Avenue' }).getAttribute('href')).toBe(
    '/map?vehicle=b',
  );
  await user.click(within(await rowOf('5 vehicles at once')).getByText('Lost'));
  await expect.poll(address).toBe('/alerts?storm=s');
  expect(requests(alerts.listAlerts).at(-1)?.query).not.toHaveProperty('state');
});

test('SHR-06-partial WIN-03-partial LIV-04-partial a rule that acts in the name of another person is saved without a change, one of the own waits for one', async () => {
  const informed = {
    informed: ['a@x.example'],
    informedCount: 1,
    channels: { mails: ['a@x.example'], escalation: null, quiet: null },
  };
  const { open, respond, requests, user } = start([
    rule({ name: 'Left', actsFor: 'ann@lakeshore.example', ...informed }),
    rule({ id: 'o', name: 'Own', actsFor: 'ana@lakeshore.example', ...informed }),
  ]);
  await open('/alerts/rules');
  const save = () => screen.getByRole('button', { name: 'Save' });
  await user.click(await screen.findByRole('button', { name: 'Own' }));
  expect(save().getAttribute('aria-disabled')).toBe('true');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await user.click(screen.getByRole('button', { name: 'Left' }));
  respond(alerts.saveRule, { result: rule() });
  await user.click(save());
  await expect.poll(() => requests(alerts.saveRule)).toMatchObject([{ params: { rule: 'r' }, body: { name: 'Left' } }]);
});

test('WIN-03-partial a rule acts by itself within limits, as a dry run first, and its log says what it did and why not', async () => {
  const { open, respond, sendList, requests, user } = start([rule({ informed: ['a@x.example'], informedCount: 1 })]);
  respond(commands.listCommands, { result: [{ ...example(commands.listCommands).result[0]!, id: 'c', name: 'Restart' }] });
  await open('/alerts/rules');
  await user.click(await screen.findByRole('button', { name: 'Lost' }));
  const dialog = within(screen.getByRole('dialog', { name: 'Rule Lost' }));
  await user.click(dialog.getByLabelText('Also email the first admin of the organization'));
  await user.click(dialog.getByLabelText('Do something by itself when an alert fires'));
  await user.clear(dialog.getByLabelText('Vehicles at the same time'));
  await user.type(dialog.getByLabelText('Vehicles at the same time'), '0');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(dialog.getByText('Enter 1 to 1,000.')).toBeTruthy();
  expect(dialog.getAllByText('Choose one.').length).toBeGreaterThan(1);
  await user.clear(dialog.getByLabelText('Vehicles at the same time'));
  await user.type(dialog.getByLabelText('Vehicles at the same time'), '3');
  await user.selectOptions(dialog.getByLabelText('Command'), 'c');
  await user.selectOptions(dialog.getByLabelText('When'), 'parked');
  respond(alerts.saveRule, { result: rule() });
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await expect.poll(() => requests(alerts.saveRule)).toHaveLength(1);
  expect(requests(alerts.saveRule)[0]?.body).toMatchObject({
    action: {
      does: { kind: 'command', command: 'c', window: { ignitionOffMinutes: 10 } },
      dryRun: true,
      cooldownMinutes: 60,
      atOnce: 3,
      perDay: 20,
    },
  });
  sendList(alerts.listActions, [
    { id: '1', vehicle_number: 'Bus 1', ruleName: 'Lost', does: 'command', state: 'dry-run', reason: null },
    { id: '2', vehicle_number: 'Bus 2', ruleName: 'Lost', does: 'profile', state: 'skipped', reason: 'repeats' },
  ]);
  await user.click(screen.getByRole('link', { name: 'Actions of rules' }));
  expect((await rowOf('Bus 1')).textContent).toContain('Dry run: would be done');
  expect((await rowOf('Bus 2')).textContent).toContain('three times in 24 hours did not help this vehicle');
});
