import { commands, usage, usagePlans } from '@highline/contract';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { button, example, Failed, startConsole } from '../../testing/console.tsx';

const GB = 1_000_000_000;
const plan = (parts: Partial<usagePlans.UsagePlan> = {}): usagePlans.UsagePlan => ({
  ...example(usagePlans.listPlans).result[0]!,
  id: 'p',
  version: 3,
  name: 'Two',
  cycleDay: 1,
  allowance: 2 * GB,
  isPool: false,
  costPerGb: null,
  currency: '',
  appliesTo: 'all',
  carrier: '',
  shares: [100],
  action: 'command',
  command: 'blink',
  notDone: [],
  ...parts,
});

function start(plans: readonly usagePlans.UsagePlan[]) {
  const started = startConsole();
  started.respond(usagePlans.listPlans, { result: [...plans] });
  const month = example(usage.usageMonth);
  started.respond(usage.usageMonth, { result: { ...month.result, zone: 'America/Chicago', nextZone: null } });
  started.sendList(commands.listCommands, [{ id: 'blink', name: 'Blink' }]);
  return started;
}

test('USE-03-partial a plan of a pool with its cost is sent as it is typed, and SIMs are chosen for it from a text', async () => {
  const { open, respond, requests, user } = start([]);
  await open('/usage/plans');
  expect(await screen.findByText(/^No data plans yet\./u)).toBeTruthy();
  await user.click(button('Add plan'));
  const dialog = screen.getByRole('dialog');
  const field = (label: string) => within(dialog).getByLabelText(label);
  await user.type(within(dialog).getByLabelText(/^Name/u), 'Pool');
  await user.clear(within(dialog).getByLabelText(/^Allowance \(GB\)/u));
  await user.type(within(dialog).getByLabelText(/^Allowance \(GB\)/u), '1.5');
  await user.selectOptions(field('Allowance is for'), 'pool');
  await user.selectOptions(field('Cycle begins on day'), '31');
  await user.type(field('Cost per GB'), '2.5');
  await user.type(field('Currency'), 'usd');
  await user.clear(within(dialog).getByLabelText(/^Send an email at/u));
  await user.type(within(dialog).getByLabelText(/^Send an email at/u), '70%，100');
  await user.selectOptions(field('SIMs'), 'carrier');
  expect(within(dialog).getByText(/^A SIM belongs to the carrier that it was connected to first/u)).toBeTruthy();
  await user.selectOptions(field('SIMs'), 'chosen');
  respond(usagePlans.addPlan, { result: { id: 'p' } });
  respond(usagePlans.listPlans, { result: [plan({ name: 'Pool' })] });
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  await user.click(await screen.findByRole('button', { name: 'Choose SIMs' }));
  expect(requests(usagePlans.addPlan)[0]?.body).toEqual({
    name: 'Pool',
    cycleDay: 31,
    allowance: 1.5 * GB,
    isPool: true,
    costPerGb: 2.5,
    currency: 'USD',
    appliesTo: 'chosen',
    carrier: '',
    shares: [70, 100],
    action: 'mail',
    command: null,
  });
  const sims = ['8944110068123456783', '8944110068123456791'];
  await user.type(screen.getByLabelText('ICCIDs'), `name,iccid{Enter}${sims.map((iccid) => `Bus,${iccid}`).join('{Enter}')}`);
  respond(usagePlans.assignSims, { result: { sims: 2, damaged: [], doubts: [] } });
  await user.click(button('Assign the plan'));
  await expect
    .poll(() => requests(usagePlans.assignSims)[1])
    .toMatchObject({
      params: { plan: 'p' },
      body: { iccids: sims, remove: false },
    });
});

test('USE-03-partial SHR-01-partial what is typed wrong in a plan is said at its field, also before a dry run, and neither saved nor left out', async () => {
  const { open, respond, requests, user, fill } = start([plan({ costPerGb: 2.5, currency: 'USD' })]);
  await open('/usage/plans');
  await user.click(await screen.findByRole('button', { name: 'Edit' }));
  const dialog = within(screen.getByRole('dialog'));
  await fill(dialog.getByLabelText('Cost per GB'), '2,5');
  await fill(dialog.getByLabelText('Currency'), 'NT$');
  await fill(dialog.getByLabelText(/^Allowance \(GB\)/u), '5 GB');
  await fill(dialog.getByLabelText(/^Send an email at/u), '80, x');
  await user.selectOptions(dialog.getByLabelText('Command'), '');
  await user.selectOptions(dialog.getByLabelText('SIMs'), 'carrier');
  const said = [
    /^Enter a number above 0/u,
    /with at most four decimals, such as 2\.5\.$/u,
    'Enter three letters, such as USD.',
    'Please enter the Carrier',
    'Enter up to six whole numbers from 1 to 500.',
    'Choose a command.',
  ];
  for (const name of ['What would happen now', 'Save']) {
    await user.click(dialog.getByRole('button', { name }));
    for (const text of said) expect(dialog.getByText(text)).toBeTruthy();
    expect(document.activeElement).toBe(dialog.getByLabelText(/^Allowance \(GB\)/u));
  }
  expect([...requests(usagePlans.previewPlan), ...requests(usagePlans.savePlan)]).toEqual([]);

  await fill(dialog.getByLabelText('Cost per GB'), '1,000.5');
  await fill(dialog.getByLabelText('Currency'), 'twd');
  await fill(dialog.getByLabelText(/^Allowance \(GB\)/u), '5');
  await fill(dialog.getByLabelText(/^Send an email at/u), '80');
  await fill(dialog.getByLabelText('Carrier'), 'Verizon');
  await user.selectOptions(dialog.getByLabelText('Command'), 'Blink');
  respond(
    usagePlans.savePlan,
    () => new Failed('plan.sims_taken', { field: 'appliesTo', message: '“One” already applies to these SIMs.' }),
  );
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await expect.poll(() => document.activeElement).toBe(dialog.getByLabelText('SIMs'));
  expect(dialog.getByText('“One” already applies to these SIMs.')).toBeTruthy();
  expect(requests(usagePlans.savePlan)[0]?.body).toMatchObject({ costPerGb: 1000.5, currency: 'TWD', allowance: 5 * GB });
});

test('USE-03-partial a file adds to the ICCIDs that were typed; what is none is named, a damaged one is rejected, a doubtful one confirmed', async () => {
  const { open, respond, requests, user } = start([plan()]);
  await open('/usage/plans');
  await user.click(await screen.findByRole('button', { name: 'Choose SIMs' }));
  const [typed, fromFile] = ['8944476500008878576', '8944476500008878575'];
  await user.type(screen.getByLabelText('ICCIDs'), typed);
  const file = new File(
    [`iccid,eid\n8944 4765 0000 8878 575,89049099990000000000000000000092\n894447650000887857612,\n8.94E+18,`],
    'sims.csv',
  );
  const pick = () => document.querySelector<HTMLInputElement>('input[type=file]')!;
  await user.upload(pick(), file);
  expect(await screen.findByText('2 ICCIDs')).toBeTruthy();
  expect(screen.getByText('2 numbers are left out, since they are no ICCIDs: 8.94E+18, 894447650000887857612')).toBeTruthy();

  // The server reads a workbook.
  respond(usagePlans.readFile, { result: { iccids: ['89444 76500  -008878575', '8.94E18'] } });
  await user.upload(pick(), new File(['PK'], 'sims.XLSX'));
  expect(await screen.findByText('1 number is left out, since it is no ICCID: 8.94E18')).toBeTruthy();
  expect(await screen.findByText('2 ICCIDs')).toBeTruthy();
  expect(requests(usagePlans.readFile)[0]?.files['file']?.name).toBe('sims.XLSX');

  respond(usagePlans.assignSims, { result: { sims: 2, damaged: [typed], doubts: [] } });
  await user.click(button('Assign the plan'));
  expect(await screen.findByText(/^A spreadsheet has replaced the last digits of 1 ICCID/u)).toBeTruthy();
  await user.click(button('OK'));
  await expect.poll(() => button('Assign the plan').hasAttribute('disabled')).toBe(false);

  respond(usagePlans.assignSims, { result: { sims: 2, damaged: [], doubts: [fromFile] } });
  await user.click(button('Assign the plan'));
  const question = (await screen.findByText(/^1 ICCID has a wrong digit/u)).closest<HTMLElement>(
    '[role=dialog],[role=alertdialog]',
  )!;
  expect(within(question).getByText(fromFile)).toBeTruthy();
  await user.click(within(question).getByRole('button', { name: 'Assign the plan' }));
  const iccids = [typed, fromFile];
  await expect
    .poll(() => requests(usagePlans.assignSims).map(({ body }) => body))
    .toEqual([
      { iccids, dryRun: true },
      { iccids, dryRun: true },
      { iccids, remove: false, confirmed: true },
    ]);
});

test('USE-03-partial a dry run says what the plan would do now, and saves nothing', async () => {
  const { open, respond, requests, user } = start([]);
  await open('/usage/plans');
  await user.click(button('Add plan'));
  const dialog = screen.getByRole('dialog');
  await user.type(within(dialog).getByLabelText(/^Name/u), 'Four');
  await user.selectOptions(within(dialog).getByLabelText('SIMs'), 'all');
  await user.selectOptions(within(dialog).getByLabelText('At the allowance'), 'command');
  await user.selectOptions(within(dialog).getByLabelText('Command'), 'Blink');
  const effect = { iccid: '8944110068123456783', deviceName: 'Bus 1', used: 4 * GB, percent: 100, share: 100 };
  const { use } = example(usagePlans.previewPlan).result;
  respond(usagePlans.previewPlan, { result: { use, effects: [{ ...effect, does: ['mail', 'profile'] }], total: 1 } });
  await user.click(within(dialog).getByRole('button', { name: 'What would happen now' }));
  expect((await within(dialog).findByRole('listitem')).textContent).toBe(
    '8944110068123456783 Bus 1 · 4.00 GB · 100% · Send an email, Switch to another eSIM',
  );
  expect(requests(usagePlans.previewPlan)[0]?.body).toMatchObject({
    name: 'Four',
    appliesTo: 'all',
    action: 'command',
    command: 'blink',
    plan: null,
  });
  expect(requests(usagePlans.addPlan)).toEqual([]);
  // It is of the values that were sent.
  await user.selectOptions(within(dialog).getByLabelText('At the allowance'), 'mail');
  expect(within(dialog).queryByRole('listitem')).toBeNull();
});

test('USE-03-partial a plan whose author has left says that nothing was done, until an admin takes it over', async () => {
  const sentence = /^Not done for 1 SIM: the person who saved this plan is no longer allowed to do this\./u;
  const { open, respond, requests, user } = start([plan({ notDone: [{ reason: 'not_allowed', sims: 1 }] })]);
  await open('/usage/plans');
  expect(await screen.findByText(sentence)).toBeTruthy();
  respond(usagePlans.savePlan, { result: { id: 'p' } });
  respond(usagePlans.listPlans, { result: [plan()] });
  await user.click(button('Take over'));
  await expect.poll(() => screen.queryByText(sentence)).toBeNull();
  expect(screen.queryByRole('button', { name: 'Take over' })).toBeNull();
  expect(requests(usagePlans.savePlan)[0]).toMatchObject({
    params: { plan: 'p' },
    body: { name: 'Two', allowance: 2 * GB, appliesTo: 'all', action: 'command', command: 'blink', version: 3 },
  });
});

test('USE-03-partial a plan says that another one comes first for the same SIMs', async () => {
  const { open } = start([
    plan({ id: 'b', name: 'Later', appliesTo: 'carrier', carrier: 'VERIZON' }),
    plan({ id: 'a', name: 'First', appliesTo: 'carrier', carrier: 'Verizon' }),
    plan({ id: 'c', name: 'Rest', appliesTo: 'all' }),
  ]);
  await open('/usage/plans');
  const sentences = await screen.findAllByText(/applies to the same SIMs and comes first/u);
  expect(sentences.map((each) => each.textContent)).toEqual([
    '"First" applies to the same SIMs and comes first: this plan has only the SIMs that it was chosen for.',
  ]);
  expect(within(sentences[0]!.closest('li')!).getByRole('heading', { name: 'Later' })).toBeTruthy();
});

test('USE-02-partial the selection ends with the period and with the kind that it is of', async () => {
  const { open, sendList, user } = start([]);
  sendList(usage.listUsage, [{ id: 'd', name: 'Bus 7' }]);
  await open('/usage?by=vehicles');
  const select = async () => {
    await user.click(await screen.findByRole('checkbox', { name: /Bus 7/u }));
    expect(screen.getByText('1 selected')).toBeTruthy();
  };
  await select();
  await user.click(button('SIMs'));
  await expect.poll(() => screen.queryByText('1 selected')).toBeNull();
  await select();
  await user.click(screen.getByRole('button', { name: /^Filter by/u }));
  await user.click(await screen.findByRole('option', { name: /^Last/u }));
  await expect.poll(() => screen.queryByText('1 selected')).toBeNull();
});
