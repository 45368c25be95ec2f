import { groups, notifications } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { button, isDisabled, row, startConsole } from '../../testing/console.tsx';

const PATH = '/devices/service/noitify';
const fleet = { mail: 'fleet@partner.example', recipient: 'Kim Lee', types: [], gids: ['all'], role: null, version: '1' };
const form = (name = 'Add a recipient') => within(screen.getByRole('form', { name }));

test('SVC-02 an address gets notifications: it needs a period, has topics and groups, and its row is shown after the save', async () => {
  const { open, respond, sendList, hold, requests, user, address } = startConsole();
  sendList(notifications.listRecipients, []);
  sendList(groups.listGroups, [{ group: 'north', groupName: 'North depot' }]);
  await open('/devices/service/notify');
  await expect.poll(address).toBe(PATH);
  expect(screen.getAllByRole('link', { name: 'Service Status' })[0]?.getAttribute('href')).toBe('/devices/service');
  const check = (name: string) => form().getByRole<HTMLInputElement>('checkbox', { name });
  const periods = ['Today', 'This week', 'This month'];
  expect([...periods, 'Battery low'].map((name) => check(name).checked)).toEqual([true, true, true, false]);
  const email = () => form().getByRole<HTMLInputElement>('textbox', { name: 'Email' });
  const save = () => form().getByRole('button', { name: 'Save' });
  expect(isDisabled(save())).toBe(true);
  await user.click(form().getByRole('button', { name: 'Use my address' }));
  expect(email().value).toBe('ana@lakeshore.example');
  await user.click(check('All of: Alarms'));
  expect(check('Battery low').checked).toBe(true);
  await user.click(check('All of: Alarms'));
  expect(check('Battery low').checked).toBe(false);
  await user.clear(email());
  await user.type(email(), 'fleet at partner');
  await user.type(form().getByRole('textbox', { name: 'Recipient' }), ' Kim Lee ');
  for (const period of periods) await user.click(check(period));
  expect(isDisabled(save())).toBe(true);
  expect(screen.getByText('Choose at least one expiring period first.')).toBeTruthy();
  await user.click(check('This week'));
  await user.click(save());
  expect(await form().findByText('Invalid Email format')).toBeTruthy();
  await user.clear(email());
  await user.type(email(), fleet.mail.toUpperCase());
  await user.click(check('Battery low'));
  await user.click(form().getByRole('button', { name: 'Choose groups' }));
  await user.click(await screen.findByRole('option', { name: 'North depot' }));
  const release = hold(notifications.saveRecipient);
  await user.click(save());
  expect(form().getByText('Working...')).toBeTruthy();
  const types = ['WEEK_NOTIFY_SUBSCRIPTION', 'BATTERY_LOW'] as const;
  respond(notifications.saveRecipient, { result: { ...fleet, types: [...types], gids: ['north'] } });
  sendList(notifications.listRecipients, [{ ...fleet, types: [...types], gids: ['north'] }]);
  release();
  expect(await screen.findByText(`${fleet.mail} will be notified.`)).toBeTruthy();
  const [sent] = requests(notifications.saveRecipient);
  expect(sent?.ifMatch).toBe('"none"');
  expect(sent?.body).toMatchObject({
    mail: fleet.mail,
    recipient: 'Kim Lee',
    events: types,
    gids: ['north'],
    language: 'en-US',
    zone: 'America/Chicago',
  });
  await expect.poll(() => document.activeElement?.textContent).toContain(fleet.mail);
  for (const text of ['This week', 'Kim Lee', 'Battery low']) expect(row(fleet.mail).textContent).toContain(text);
  expect(email().value).toBe('');
  await user.type(email(), fleet.mail);
  expect(await screen.findByText(/Saving replaces its settings\./u)).toBeTruthy();
  await user.clear(email());
  await user.type(email(), 'info@bücher.example');
  const mails = () => requests(notifications.listRecipients).map(({ query }) => query.mail);
  await expect.poll(mails).toContain('info@xn--bcher-kva.example');
});

test('SVC-02-partial notifications are edited: what another user saved is shown, the input stays, and the next save is based on it; and removed after a question', async () => {
  const { open, respond, sendList, fail, requests, user } = startConsole();
  const stored = (types: readonly notifications.NotificationEvent[], version: string) =>
    sendList(notifications.listRecipients, [{ ...fleet, types: [...types], version }]);
  stored(['WEEK_NOTIFY_SUBSCRIPTION'], '1');
  await open(PATH);
  await user.click(button(`Edit ${fleet.mail}`));
  const edit = () => form('Edit a recipient');
  expect(edit().getByRole<HTMLInputElement>('textbox', { name: 'Email' }).value).toBe(fleet.mail);
  expect(edit().getByRole<HTMLInputElement>('textbox', { name: 'Recipient' }).value).toBe('Kim Lee');
  expect(isDisabled(edit().getByRole('button', { name: 'Save' }))).toBe(true);
  await user.click(edit().getByRole('checkbox', { name: 'Today' }));
  fail(notifications.saveRecipient, 'conflict.stale');
  stored(['DEVICE_ADDED'], '2');
  await user.click(edit().getByRole('button', { name: 'Save' }));
  expect((await screen.findByRole('alertdialog')).textContent).toContain(
    'Someone else changed the notifications of this address',
  );
  await user.click(button('OK'));
  await expect.poll(() => row(fleet.mail).textContent).toContain('Device added');
  const events = ['TODAY_NOTIFY_SUBSCRIPTION', 'WEEK_NOTIFY_SUBSCRIPTION'] as const;
  respond(notifications.saveRecipient, { result: { ...fleet, types: [...events] } });
  stored(events, '3');
  await user.click(edit().getByRole('button', { name: 'Save' }));
  await expect.poll(() => row(fleet.mail).textContent).toContain('Today, This week');
  expect(row(fleet.mail).textContent).toContain('All groups');
  const saves = requests(notifications.saveRecipient);
  expect(saves.map(({ ifMatch }) => ifMatch)).toEqual(['"1"', '"2"']);
  expect(saves[1]?.body.events.toSorted()).toEqual(events);

  await user.click(button(`Remove ${fleet.mail}`));
  const question = screen.getByRole('alertdialog');
  expect(question.textContent).toContain('This action is permanent and cannot be undone.');
  sendList(notifications.listRecipients, []);
  await user.click(within(question).getByRole('button', { name: 'Remove' }));
  await expect.poll(() => screen.queryByRole('row', { name: new RegExp(fleet.mail, 'u') })).toBeNull();
  expect(requests(notifications.deleteRecipients).map(({ body }) => body.mails)).toEqual([[fleet.mail]]);
});

test('SHR-06-partial SVC-02-partial Cancel asks before it drops what was changed', async () => {
  const { open, sendList, user } = startConsole();
  sendList(notifications.listRecipients, [{ ...fleet, types: ['WEEK_NOTIFY_SUBSCRIPTION'] }]);
  await open(PATH);
  await user.click(button(`Edit ${fleet.mail}`));
  await user.click(form('Edit a recipient').getByRole('checkbox', { name: 'Today' }));
  const cancel = async (name: 'Yes' | 'No') => {
    await user.click(form('Edit a recipient').getByRole('button', { name: 'Cancel' }));
    await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name }));
  };
  await cancel('No');
  expect(form('Edit a recipient').getByRole<HTMLInputElement>('checkbox', { name: 'Today' }).checked).toBe(true);
  await cancel('Yes');
  expect(await screen.findByRole('form', { name: 'Add a recipient' })).toBeTruthy();
});

test('SVC-02-partial a user reads them, and can change nothing', async () => {
  const { open, sendList, requests } = startConsole({ role: 'user' });
  sendList(notifications.listRecipients, [{ ...fleet, types: ['TODAY_NOTIFY_SUBSCRIPTION', 'WEEK_NOTIFY_SUBSCRIPTION'] }]);
  await open(PATH);
  expect(row(fleet.mail).textContent).toContain('Today, This week');
  expect(screen.getByText('Only admins can change notifications.')).toBeTruthy();
  for (const name of ['Save', `Remove ${fleet.mail}`, /^Send a test/u]) expect(screen.queryByRole('button', { name })).toBeNull();
  expect(requests(notifications.listUndelivered)).toEqual([]);
});

test('rejected emails have their reasons, and one is sent again', async () => {
  const { open, sendList, respond, requests, user } = startConsole();
  const [gone, full] = [
    { id: 'm1', mail: 'gone@partner.example', subject: 'Low battery', reason: '550 5.1.1 no such user', returned: false },
    { id: 'm2', mail: 'full@partner.example', subject: 'Low battery', reason: '552 mailbox full', returned: true },
  ];
  sendList(notifications.listUndelivered, [gone, full]);
  await open(PATH);
  await expect
    .poll(() => row(gone.mail).textContent)
    .toContain('This mailbox does not exist. Check the address.550 5.1.1 no such user');
  expect(row(full.mail).textContent).toContain('The mailbox is full.');
  expect(row(full.mail).textContent).toContain('Returned. It cannot be sent again.');
  expect(screen.queryByRole('button', { name: `Send again to ${full.mail}` })).toBeNull();
  respond(notifications.sendAgain, { result: { queued: 1 } });
  sendList(notifications.listUndelivered, [full]);
  await user.click(button(`Send again to ${gone.mail}`));
  expect(await screen.findByText('The email will be sent again.')).toBeTruthy();
  expect(requests(notifications.sendAgain).map(({ body }) => body.ids)).toEqual([['m1']]);
  await expect.poll(() => screen.queryByText(gone.mail)).toBeNull();
  expect(row(full.mail)).toBeTruthy();
});

test('ALR-05-partial rejected emails are sent again together, and a page whose last one is sent again gives way to the one before it', async () => {
  const { open, sendList, respond, requests, user, loaded } = startConsole();
  const mails = Array.from({ length: 7 }, (_, at) => ({
    id: `m${at}`,
    mail: `m${at}@x.example`,
    subject: 'S',
    returned: at === 1,
  }));
  sendList(notifications.listUndelivered, mails);
  respond(notifications.sendAgain, { result: { queued: 4 } });
  await open(PATH);
  const list = within(await screen.findByRole('region', { name: 'Undelivered emails' }));
  const all = () => screen.queryByRole('button', { name: 'Send all on this page again' });
  await user.click(all()!);
  expect(requests(notifications.sendAgain).at(-1)?.body.ids).toEqual(['m0', 'm2', 'm3', 'm4']);
  await user.click(list.getByRole('checkbox', { name: /^Select m0@/u }));
  await user.click(list.getByRole('checkbox', { name: /^Select m1@/u }));
  const bar = within(screen.getByRole('toolbar'));
  await user.click(bar.getByRole('button', { name: 'Send again' }));
  expect(requests(notifications.sendAgain).at(-1)?.body.ids).toEqual(['m0']);
  await expect.poll(() => screen.queryByRole('toolbar')).toBeNull();
  await user.click(list.getByRole('checkbox', { name: /^Select m1@/u }));
  expect(within(screen.getByRole('toolbar')).queryByRole('button', { name: 'Send again' })).toBeNull();
  const footer = within(screen.getByRole('navigation', { name: 'Pages of Undelivered emails' }));
  await user.click(footer.getByRole('button', { name: 'Next page' }));
  expect(await list.findByText('m6@x.example')).toBeTruthy();
  sendList(notifications.listUndelivered, mails.slice(0, 2));
  await user.click(button('Send again to m6@x.example'));
  expect(await list.findByText('m0@x.example')).toBeTruthy();
  await loaded();
  expect(all()).toBeNull();
});

test.each([
  [PATH, undefined],
  ['/alerts/rules', 'Add rule'],
])('ALR-05-partial at %s an admin sends a test mail to the own address, and reads what became of it', async (path, opens) => {
  const { open, respond, user } = startConsole();
  await open(path);
  if (opens !== undefined) await user.click(await screen.findByRole('button', { name: opens }));
  const mail = 'ana@lakeshore.example';
  for (const [outcome, text] of [
    ['kept', `No mail server is set up. The test email to ${mail} was saved as a file on the server.`],
    ['rejected', `The test email to ${mail} was not sent. The mail server said: 550 no`],
  ] as const) {
    respond(notifications.sendTestMail, { result: { mail, outcome, answer: '550 no' } });
    await user.click(button(`Send a test email to ${mail}`));
    expect(await screen.findByText(text)).toBeTruthy();
  }
});

test('SVC-02-partial the link back to the service status keeps its filters', async () => {
  const { open, visit, user, address } = startConsole();
  await open('/devices/service?service=not-subscribed');
  await visit(PATH);
  await user.click(within(screen.getByRole('main')).getByRole('link', { name: 'Service Status' }));
  await expect.poll(address).toBe('/devices/service?service=not-subscribed');
});
