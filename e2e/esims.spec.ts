import { readFile } from 'node:fs/promises';
import type { Download, Page } from '@playwright/test';
import { enter, expect, expectAccessible, rows, settled, test } from './fixtures.ts';
import type { World } from './world.ts';

/** 32 digits whose check digits are right, of no network. */
const EID = '89049099990000000000000000000132';

const row = (page: Page, text: string) => rows(page).filter({ hasText: text });
const textOf = async (download: Download) => readFile(await download.path(), 'utf8');

async function downloaded(page: Page, button: string): Promise<Download> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: button }).click()]);
  return download;
}

/** An organization of its own with an admin and a user. */
async function ownOrganization(world: World, name: string) {
  const org = await world.seeding.organization(world.main, `${name} ${world.mark}`);
  const person = async (role: 'admin' | 'user') => {
    const email = `${role}-${name.toLowerCase()}-${world.mark.toLowerCase()}@highline.example`;
    const id = await world.seeding.account(org, email, role);
    return { id, email, bearer: await world.seeding.bearer(id) };
  };
  return { org, admin: await person('admin'), user: await person('user') };
}

test('SIM-01 SIM-02 NAV-05-partial SHR-08-partial eSIMs are listed three a page with their states, filtered, searched and exported, every 60 s anew; a user looks only', async ({
  page,
  world,
  context,
}) => {
  const { org, admin, user } = await ownOrganization(world, 'Sims');
  const [bus, van] = await world.routers(2, { org });
  const add = async (
    serial: string,
    code: string,
    state: { status: string; carrier?: string; reason?: string },
    more: { iccid?: string; apn?: string; name?: string } = {},
  ) => {
    const { iccid = '', apn = 'fleet', name = '' } = more;
    const id = await world.seeding.esim(org, { serial, eid: EID, code, iccid, apn, apn2: '', name });
    await world.owner.query('update esim_profiles set status = $2, carrier = $3, reason = $4 where id = $1', [
      id,
      state.status,
      state.carrier ?? '',
      state.reason ?? '',
    ]);
    return id;
  };
  await add(bus!.serial, 'preload', { status: 'In Use', carrier: 'Verizon' }, { iccid: '8914800000001234562' });
  await add(bus!.serial, '1$dp.example$A', { status: 'Activated', carrier: 'AT&T' }, { name: 'Depot spare', apn: 'm2m.depot' });
  await add(bus!.serial, '1$dp.example$B', { status: 'Downloading...' });
  const failed = await add(bus!.serial, '1$dp.example$C', { status: 'Fail to download', reason: 'download-failed: used' });
  await add(van!.serial, '1$dp.example$D', { status: 'Assigning...' });
  await add(van!.serial, '1$dp.example$E', { status: 'Out of memory' });
  await add(van!.serial, '1$dp.example$F', { status: 'Fail to activate' });

  await page.route('**/data_manager/v1/events*', (route) => route.abort());
  await page.clock.install();
  await enter(page, admin, '/dashboard');
  await page.getByRole('navigation').getByRole('link', { name: 'SIMs' }).click();
  await expect(page).toHaveURL(/\/devices\/esimsList$/u);
  await expect(rows(page)).toHaveCount(3);
  await expect(page.getByText('1–3 of 7')).toBeVisible();
  await page.goto('/devices/esimsList?size=10');
  await settled(page);
  for (const [status, tone] of [
    ['In Use', 'ok'],
    ['Activated', 'ok'],
    ['Downloading...', 'busy'],
    ['Assigning...', 'busy'],
    ['Fail to download', 'bad'],
    ['Out of memory', 'bad'],
    ['Fail to activate', 'bad'],
  ])
    await expect(row(page, status!).locator('.status__dot')).toHaveAttribute('data-tone', tone!);

  // What is chosen stands in the address, and so does what is searched.
  await page.getByRole('button', { name: /eSIM status/u }).click();
  await expect(page.getByRole('listbox').getByRole('option')).toHaveText([
    'All eSIM status',
    'In use',
    'Activated',
    'Downloading...',
    'Assigning...',
    'Fail to download',
    'Out of memory',
  ]);
  await page.getByRole('option', { name: 'In use' }).click();
  await expect(rows(page)).toHaveCount(1);
  await expect(row(page, 'Verizon')).toBeVisible();
  for (const [status, shown] of [
    ['activated', 'Activated'],
    ['downloading', 'Downloading...'],
    ['assigning', 'Assigning...'],
    ['fail-to-download', 'Fail to download'],
    ['out-of-memory', 'Out of memory'],
  ]) {
    await page.goto(`/devices/esimsList?status=${status}`);
    await expect(rows(page)).toHaveCount(1);
    await expect(rows(page)).toContainText(shown!);
  }
  await page.goto('/devices/esimsList?size=10');
  await settled(page);
  for (const [field, text, count] of [
    ['Serial #', van!.serial, 3],
    ['eSIM name', 'pot sp', 1],
    ['Carrier', 'AT&T', 1],
    ['ICCID', '0000001234', 1],
    ['APN', 'm2m.d', 1],
  ] as const) {
    await page.getByLabel('Search in').selectOption({ label: field });
    await page.getByRole('searchbox').fill(text);
    await expect(rows(page)).toHaveCount(count);
  }
  const list = await downloaded(page, 'Download(.csv)');
  expect(list.suggestedFilename()).toBe('eSIMs_export.csv');
  const lines = (await textOf(list)).trim().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('Depot spare');
  const example = await downloaded(page, 'Download the example');
  expect(example.suggestedFilename()).toBe('eSIMs_export_example.csv');
  expect((await textOf(example)).split('\r\n')[0]).toBe('\u{feff}SN,EID,Activation Code,ICCID,APN1,APN2,NAME');

  // Nothing is told while the stream is down: a minute later the list knows.
  await page.goto('/devices/esimsList?status=out-of-memory');
  await expect(rows(page)).toHaveCount(1);
  await world.owner.query("update esim_profiles set status = 'Out of memory' where id = $1", [failed]);
  await page.clock.fastForward(60_000);
  await expect(rows(page)).toHaveCount(2);
  await page.goto('/devices/esimsEdit');
  await expect(page).toHaveURL(/\/devices\/esimsList$/u);
  await page.goto('/devices/esimsList?field=carrier&search=AT%26T');
  await rows(page).first().locator('td').nth(4).click();
  await expect(page).toHaveURL(/\/devices\/esimsEdit\?profile=/u);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(bus!.serial);

  await context.clearCookies();
  await enter(page, user, '/devices/esimsList?size=10');
  const addButton = page.getByRole('button', { name: 'Add', exact: true });
  await expect(addButton).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByRole('button', { name: 'Redownload' }).first()).toHaveAttribute('aria-disabled', 'true');
  await addButton.focus();
  await expect(page.getByRole('tooltip', { name: 'Only an administrator can change eSIMs.' }).first()).toBeVisible();
  await rows(page).first().locator('td').nth(4).click();
  await expect(page).toHaveURL(/\/devices\/esimsList/u);
  await expectAccessible(page);
  for (const path of ['/devices/esimsAdd', '/devices/esimsEdit']) {
    await page.goto(path);
    await expect(page).toHaveURL(/\/dashboard$/u);
  }
});

test('SIM-04 SIM-05 SHR-08-partial SHR-04-partial a CSV adds what is right and tells of the rest, row by row', async ({
  page,
  world,
}) => {
  const { org, admin } = await ownOrganization(world, 'Csv');
  const [one, two] = await world.routers(2, { org });
  const other = '89049099990000000000000000000229';
  await enter(page, admin, '/devices/esimsList');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page).toHaveURL(/\/devices\/esimsAdd$/u);
  for (const note of ['ICCID and APN1', 'Activation Code and APN1', 'One profile per row.', 'cells as Text', 'APN1, APN2, NAME'])
    await expect(page.getByRole('list', { name: 'Template' })).toContainText(note);
  const pick = (name: string, text: string) =>
    page.setInputFiles('input[type=file]', { name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  const send = page.getByRole('button', { name: 'Import', exact: true });
  await expect(send).toHaveAttribute('aria-disabled', 'true');
  await pick('esims.txt', 'SN');
  await expect(page.getByText('file type error')).toBeVisible();
  await expect(send).toHaveAttribute('aria-disabled', 'true');

  const header = '\u{feff}SN,EID,Activation Code,ICCID,APN1,APN2,NAME\r\n';
  const unknown = Array.from({ length: 8 }, (_, index) => `NO-${index},${EID},1$dp.example$N${index},,fleet,,`);
  const good = [
    `${one!.serial},'${EID},pre,8914800000001234562,fleet,,Whatever`,
    `${one!.serial},${EID},LPA:1$dp.example$ONE,,fleet,,First`,
  ];
  const bad = [
    `${two!.serial},${EID},preload,,fleet,,`,
    `${one!.serial},${other},1$dp.example$TWO,,fleet,,`,
    `${one!.serial},${EID},=cmd,,fleet,,`,
    ...unknown,
  ];
  await pick('esims.csv', `${header}${[...good, ...bad].join('\r\n')}\r\n`);
  await send.click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Result of adding eSIM');
  await expect(dialog).toContainText('Successfully added: 2 of 13. Failed to add:');
  await expect(dialog.getByRole('listitem')).toHaveCount(10);
  await expect(dialog).toContainText(`Row 4, ${two!.serial}: missing or invalid mandatory data`);
  await expect(dialog).toContainText(`Row 5, ${one!.serial}: SN and EID do not match.`);
  await expect(dialog).toContainText(`Row 6, ${one!.serial}: This is not an activation code.`);
  await expect(dialog).toContainText('Row 7, NO-0: Invalid SN or EID');
  await dialog.getByRole('button', { name: 'more...' }).click();
  await expect(dialog.getByRole('listitem')).toHaveCount(11);
  await expectAccessible(page);
  const report = await downloaded(page, 'Download Report');
  expect(report.suggestedFilename()).toBe('eSIMs_error.csv');
  const lines = (await textOf(report)).trim().split('\r\n');
  expect(lines[0]).toBe('serial,eid,ac,iccid,apn1,apn2,name,error');
  expect(lines).toHaveLength(12);
  expect(lines[3]).toContain(`"'=cmd"`);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(page).toHaveURL(/\/devices\/esimsList/u);
  await expect(rows(page)).toHaveCount(2);
  for (const name of ['preloaded_eSIM', 'First']) await expect(row(page, name)).toHaveAttribute('data-highlighted', /.*/u);

  // All of it right: a sentence and Got It. All of it wrong: a result too.
  await page.goto('/devices/esimsAdd');
  await pick('esims.csv', `${header}${two!.serial},${EID},1$dp.example$OK,,fleet,,Second\r\n`);
  await send.click();
  await expect(dialog).toContainText('The eSIMs were successfully added: 1 of 1');
  await dialog.getByRole('button', { name: 'Got It' }).click();
  await expect(row(page, 'Second')).toBeVisible();
  await page.goto('/devices/esimsAdd');
  await pick('esims.csv', `${header}${unknown[0]}\r\n`);
  await send.click();
  await expect(dialog).toContainText('Successfully added: 0 of 1. Failed to add:');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(page).toHaveURL(/\/devices\/esimsList/u);
});
