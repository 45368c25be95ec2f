import { readFile } from 'node:fs/promises';
import type { Download, Page } from '@playwright/test';
import { enter, expect, expectAccessible, leave, rows, settled, test } from './fixtures.ts';
import { UNTIL_TOLD, type World } from './world.ts';

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
  for (const [field, text, found, count] of [
    ['Serial #', van!.serial, van!.serial, 3],
    ['eSIM name', 'pot sp', 'Depot spare', 1],
    ['Carrier', 'Veri', 'Verizon', 1],
    ['ICCID', '0000001234', '8914800000001234562', 1],
    ['APN', 'm2m.d', 'm2m.depot', 1],
  ] as const) {
    await page.getByLabel('Search in').selectOption({ label: field });
    await page.getByRole('searchbox').fill(text);
    await expect(page).toHaveURL((url) => url.searchParams.get('search') === text);
    await expect(row(page, found)).toHaveCount(count);
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
  await row(page, bus!.serial).locator('td').nth(4).click();
  await expect(page).toHaveURL(/\/devices\/esimsEdit\?profile=/u);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(bus!.serial);

  await leave(page);
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
  for (const note of [
    'ICCID and APN1',
    'Activation Code and APN1',
    'One profile per row.',
    'cells as Text',
    'APN1, APN2, NAME',
    'confirmation_code',
  ])
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

test('SIM-06 SIM-07 SIM-09 SHR-06-partial the cards of a router: checked by hand, filled, put in order by keyboard, pointer and buttons, and saved one by one', async ({
  page,
  world,
}) => {
  const { org, admin } = await ownOrganization(world, 'Cards');
  const [router] = await world.routers(1, { org });
  const { serial } = router!;
  const existing = await world.seeding.esim(org, {
    serial,
    eid: EID,
    code: '1$dp.example$FIRST',
    iccid: '8901260000009876547',
    apn: 'fleet',
    apn2: '',
    name: 'First',
  });
  const cards = page.getByRole('list', { name: `eSIMs of ${serial} by priority` }).getByRole('listitem');
  const card = (name: string) => page.getByRole('listitem', { name, exact: true });
  const save = page.getByRole('button', { name: 'Save', exact: true });
  const dialog = page.getByRole('alertdialog');
  const stored = async () =>
    (
      await world.owner.query<{ name: string; priority: number; iccid: string; apn: string }>(
        'select name, priority, iccid, apn from esim_profiles where serial = $1 order by priority',
        [serial],
      )
    ).rows;

  await enter(page, admin, '/devices/esimsAdd');
  await page.getByLabel('Add manually').check();
  await expect(page).toHaveURL(/method=manual/u);
  const check = page.getByRole('button', { name: 'Check Its SIMs' });
  await expect(check).toHaveAttribute('aria-disabled', 'true');
  await page.getByLabel('Device Serial#').fill(serial);
  await expect(check).toHaveAttribute('aria-disabled', 'true');
  await page.getByLabel('EID').fill('89049099990000000000000000000229');
  await check.click();
  await expect(page.getByText('SN and EID not match')).toBeVisible();
  await page.getByLabel('EID').fill(EID);
  await check.click();
  await expect(cards).toHaveCount(2);
  await expect(card('preloaded_eSIM')).toContainText('Not Purchased');
  await expect(card('preloaded_eSIM').getByRole('button', { name: 'Delete preloaded_eSIM' })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await expect(card('First')).toContainText('8901260000009876547');
  await expect(save).toHaveAttribute('aria-disabled', 'true');

  // A preloaded card that was begun and a new one need their fields; an ICCID that is not known yet blocks nothing.
  await page.getByRole('button', { name: 'Edit preloaded_eSIM' }).click();
  await card('preloaded_eSIM').getByLabel('APN 1').fill('vzwinternet');
  await page.getByRole('button', { name: 'Add an eSIM' }).click();
  const fresh = card('New eSIM');
  await save.click();
  for (const text of ['Please enter the Activation Code', 'Please enter the APN 1']) await expect(fresh).toContainText(text);
  await expect(card('preloaded_eSIM')).toContainText('Please enter the ICCID');
  await expect(card('preloaded_eSIM').getByRole('textbox', { name: 'ICCID' })).toBeFocused();
  await card('preloaded_eSIM').getByRole('textbox', { name: 'ICCID' }).fill('8914800000001234562');
  // A code that says so needs its confirmation code.
  await fresh.getByLabel('Activation Code').fill('LPA:1$dp.example$SECOND$$1');
  await fresh.getByLabel('APN 1').fill('m2m');
  await save.click();
  await expect(fresh).toContainText('Please enter the Confirmation Code');
  await expect(fresh.getByLabel('Confirmation Code')).toBeFocused();
  await fresh.getByLabel('Confirmation Code').fill('4711');
  await save.click();
  await expect(page.getByText('New eSIM was not sent yet.')).toBeVisible();
  await expect(fresh).toContainText('Please enter the ICCID');
  await expect(fresh.getByRole('textbox', { name: 'ICCID' })).toBeFocused();
  await expect(card('preloaded_eSIM')).toContainText('Assigning...');
  expect((await stored()).map(({ name }) => name).toSorted()).toEqual(['First', 'preloaded_eSIM']);
  await expectAccessible(page);

  // Another router, or another method, is another page.
  await page.getByRole('button', { name: 'Choose another device' }).click();
  await expect(dialog).toContainText('There are unsaved changes. Do you want to save them before leaving?');
  await page.keyboard.press('Escape');
  await expect(fresh.getByLabel('Activation Code')).toHaveValue('LPA:1$dp.example$SECOND$$1');

  // What the server refuses stands under the EID, in its words or in ours, and at the card.
  const eidField = page.getByLabel('EID');
  const eidError = page.locator('.esim-router .mantine-InputWrapper-error');
  await fresh.getByRole('textbox', { name: 'ICCID' }).fill('8901410000005551118');
  await save.click();
  await expect(eidError).toHaveText('This is not an ICCID.');
  await expect(fresh).toContainText('New eSIM was not saved.');
  await fresh.getByRole('textbox', { name: 'ICCID' }).fill('8901410000005551119');
  await world.owner.query("update devices set eid = '89049099990000000000000000000229' where serial = $1", [serial]);
  await save.click();
  await expect(eidError).toHaveText('SN and EID do not match.');
  await world.owner.query('update devices set eid = null, serial = $2 where serial = $1', [serial, `${serial}-X`]);
  await save.click();
  await expect(eidError).toHaveText('invalid SN or EID');
  await world.owner.query('update devices set serial = $2 where serial = $1', [`${serial}-X`, serial]);
  await expect(eidField).toHaveAttribute('readonly', '');
  await fresh.getByLabel('eSIM name').fill('Second');
  await page.getByRole('button', { name: 'Add an eSIM' }).click();
  await expect(page.getByText('Out of memory. Delete one or more eSIMs to add others.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add an eSIM' })).toHaveCount(0);
  await fresh.getByRole('button', { name: 'Delete New eSIM' }).click();
  await expect(page.getByRole('button', { name: 'Add an eSIM' })).toBeVisible();
  await save.click();
  await expect(page).toHaveURL(/\/devices\/esimsList/u);
  await expect(row(page, 'Second')).toHaveAttribute('data-highlighted', /.*/u);

  // The same cards from the list. What is typed is asked about before it is lost, and a card that somebody else saved is not overwritten.
  await world.owner.query(
    "update esim_profiles set status = 'Fail to download', reason = 'iccid-mismatch' where serial = $1 and is_preloaded",
    [serial],
  );
  await page.goto('/devices/esimsList?field=name&search=First');
  await row(page, 'First').locator('td').nth(4).click();
  await expect(page).toHaveURL(new RegExp(`profile=${existing}`, 'u'));
  await expect(cards).toHaveCount(3);
  await expect(card('First').getByLabel('Activation Code')).toHaveAttribute('readonly', '');
  await expect(card('First').getByRole('textbox', { name: 'ICCID' })).toHaveAttribute('readonly', '');
  // The one that came with the router was refused: its ICCID alone can be typed again.
  await expect(card('preloaded_eSIM')).toContainText('The ICCID is not that of this eSIM.');
  await page.getByRole('button', { name: 'Edit preloaded_eSIM' }).click();
  await card('preloaded_eSIM').getByRole('textbox', { name: 'ICCID' }).fill('8914800000007654326');
  await card('First').getByLabel('APN 2').fill('backup');
  await world.owner.query("update esim_profiles set apn = 'theirs', version = version + 1 where id = $1", [existing]);
  await save.click();
  await expect(dialog).toContainText('APN 1 "theirs"');
  await dialog.getByRole('button', { name: 'OK' }).click();
  await expect(card('First').getByLabel('APN 2')).toHaveValue('backup');
  await expect(card('First').getByLabel('APN 1')).toHaveValue('theirs');
  const names = () => cards.evaluateAll((items) => items.map((item) => item.getAttribute('aria-label')));
  const before = await names();
  const handle = (name: string) => page.getByRole('button', { name: `Move ${name}`, exact: true });
  await handle(before[2]!).press('Space');
  await expect(page.getByText(`${before[2]} is at place 3.`)).toBeAttached();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByText(`${before[2]} is at place 2.`)).toBeAttached();
  await page.keyboard.press('Space');
  await expect.poll(names).toEqual([before[0], before[2], before[1]]);
  await page.getByRole('button', { name: `Move ${before[2]} up` }).click();
  await expect.poll(names).toEqual([before[2], before[0], before[1]]);
  await expect(page.getByRole('button', { name: `Move ${before[2]} up` })).toBeFocused();
  const from = (await handle(before[1]!).boundingBox())!;
  const to = (await handle(before[2]!).boundingBox())!;
  await page.mouse.move(from.x + 8, from.y + 8);
  await page.mouse.down();
  await page.mouse.move(from.x + 8, from.y - 20, { steps: 4 });
  await expect(async () => {
    await page.mouse.move(to.x + 8, to.y, { steps: 4 });
    await page.mouse.move(to.x + 8, to.y - 6);
    await expect(page.getByText(`${before[1]} is at place 1.`)).toBeAttached({ timeout: 500 });
  }).toPass();
  await page.mouse.up();
  await expect.poll(names).toEqual([before[1], before[2], before[0]]);
  await page.getByRole('link', { name: 'SIMs' }).first().click();
  await expect(dialog).toContainText('There are unsaved changes. Do you want to save them before leaving?');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL(/\/devices\/esimsList/u);
  const saved = await stored();
  expect(saved.map(({ name }) => name)).toEqual([before[1], before[2], before[0]]);
  expect(saved.find(({ name }) => name === 'preloaded_eSIM')!.iccid).toBe('8914800000007654326');
});

test('SIM-03 SIM-08 SIM-10-partial routers follow: what was added is downloaded and used, what failed is tried again, what is deleted goes, and the screens say so as it happens', async ({
  page,
  world,
}) => {
  test.slow();
  const { org, admin } = await ownOrganization(world, 'Live');
  const [router, lone] = await world.routers(2, { org });
  const { serial } = router!;
  const card = (name: string) => page.getByRole('listitem', { name, exact: true });
  const dialog = page.getByRole('alertdialog');
  const save = page.getByRole('button', { name: 'Save', exact: true });
  const fill = async (name: string, values: Readonly<Record<string, string>>) => {
    for (const [label, value] of Object.entries(values)) await card(name).getByRole('textbox', { name: label }).fill(value);
  };
  const edit = async (name: string) => {
    await page.goto(`/devices/esimsList?size=10&field=name&search=${encodeURIComponent(name)}`);
    await row(page, name).locator('td').nth(4).click();
    await expect(card(name)).toBeVisible();
    await settled(page);
  };

  // While the router is off everything waits for it.
  await enter(page, admin, `/devices/esimsAdd?method=manual&serial=${serial}&eid=${EID}`);
  await page.getByRole('button', { name: 'Edit preloaded_eSIM' }).click();
  await fill('preloaded_eSIM', { ICCID: '8914800000001234562', 'APN 1': 'vzwinternet' });
  await page.getByRole('button', { name: 'Add an eSIM' }).click();
  await fill('New eSIM', { 'Activation Code': '1$dp.example$FAIL-1', ICCID: '8901410000005551119', 'APN 1': 'm2m' });
  await fill('New eSIM', { 'eSIM name': 'Broken' });
  await page.getByRole('button', { name: 'Add an eSIM' }).click();
  await fill('New eSIM', { 'Activation Code': '1$dp.example$SLOW-1', ICCID: '8901260000009876547', 'APN 1': 'm2m' });
  await fill('New eSIM', { 'eSIM name': 'Alpha' });
  const calls: string[] = [];
  page.on('request', (request) => {
    if (!request.url().includes('/dm/profile/') || request.method() === 'GET') return;
    const body = (request.postDataJSON() ?? {}) as { ac?: string };
    calls.push(`${request.method()} ${body.ac ?? ''}`.trim());
  });
  await save.click();
  await expect(page).toHaveURL(/\/devices\/esimsList/u);
  expect(calls).toEqual(['POST preload', 'POST 1$dp.example$FAIL-1', 'POST 1$dp.example$SLOW-1']);
  for (const name of ['preloaded_eSIM', 'Broken', 'Alpha']) await expect(row(page, name)).toContainText('Assigning...');

  const fleet = world.fleet([router!], { eid: EID, iccid: '8914800000001234562' });
  await fleet.whenAllConnected();
  await expect(row(page, 'preloaded_eSIM')).toContainText('In Use', { timeout: 90_000 });
  await expect(row(page, 'Broken')).toContainText('Fail to download', { timeout: 90_000 });
  await expect(row(page, 'Alpha')).toContainText('Downloading...', { timeout: 90_000 });
  await expect(row(page, 'Alpha')).toContainText('Activated', { timeout: 90_000 });

  // Tried again while the router is off: it is assigned at once, its row is marked, and it fails again when the router is back.
  await page.context().clearCookies({ name: 'highlineP' });
  await page.reload();
  await expect(row(page, 'Broken')).not.toHaveAttribute('data-highlighted', /.*/u);
  const mine = fleet.routers.get(serial)!;
  mine.powerCut(UNTIL_TOLD);
  await row(page, 'Broken').getByRole('button', { name: 'Redownload' }).click();
  await expect(row(page, 'Broken')).toContainText('Assigning...');
  await expect(row(page, 'Broken')).toHaveAttribute('data-highlighted', /.*/u);
  mine.reboot();
  await expect(row(page, 'Broken')).toContainText('Fail to download', { timeout: 90_000 });
  await edit('Broken');
  await expect(card('Broken')).toContainText('The download did not succeed.');
  await expect(card('Broken').getByRole('button', { name: 'Redownload' })).toBeVisible();

  // The order is what the router uses.
  await page.getByRole('button', { name: 'Move Alpha up' }).click();
  await page.getByRole('button', { name: 'Move Alpha up' }).click();
  await save.click();
  await expect(page).toHaveURL(/\/devices\/esimsList/u);
  await page.goto('/devices/esimsList?size=10');
  await expect(row(page, 'Alpha')).toContainText('In Use', { timeout: 90_000 });
  await expect(row(page, 'preloaded_eSIM')).toContainText('Activated');

  // Deleted last of all calls; what is going is read-only; the router goes on with another.
  await edit('Alpha');
  await page.getByRole('button', { name: 'Delete Alpha' }).click();
  await expect(dialog).toContainText('Deleting an eSIM does not cancel its data plan.');
  await expect(dialog).toContainText('The device will switch to another eSIM.');
  await expect(dialog).toContainText('This action is permanent and cannot be undone.');
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(card('Alpha')).toContainText('Will be deleted when you save.');
  await page.getByRole('button', { name: 'Delete Broken' }).click();
  await expect(dialog).not.toContainText('in use');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Edit preloaded_eSIM' }).click();
  await fill('preloaded_eSIM', { 'APN 2': 'backup' });
  calls.length = 0;
  mine.powerCut(UNTIL_TOLD);
  await save.click();
  await expect(page).toHaveURL(/\/devices\/esimsList/u);
  expect(calls).toEqual(['PATCH', 'DELETE']);
  await expect(row(page, 'Alpha')).toContainText('Deleting...');
  await row(page, 'Alpha').locator('td').nth(4).click();
  await expect(card('Alpha')).toContainText('It is being deleted and cannot be changed any more.');
  await expect(card('Alpha').getByRole('textbox', { name: 'APN 1' })).toHaveAttribute('readonly', '');
  await expect(page.getByRole('button', { name: 'Move Alpha down' })).toHaveAttribute('aria-disabled', 'true');
  mine.reboot();
  await expect(card('Alpha')).toHaveCount(0, { timeout: 90_000 });
  await expect(card('preloaded_eSIM')).toContainText('In Use', { timeout: 90_000 });

  // The only one of a router.
  const only = { serial: lone!.serial, eid: EID, code: '1$dp.example$ONLY', iccid: '', apn: 'm2m', apn2: '', name: 'Only' };
  await world.owner.query("update esim_profiles set status = 'In Use' where id = $1", [await world.seeding.esim(org, only)]);
  await edit('Only');
  await page.getByRole('button', { name: 'Delete Only' }).click();
  await expect(dialog).toContainText('The device will become inaccessible.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
});
