import { downloaded, EID, ownOrganization, row, textOf } from './esims.ts';
import { enter, expect, expectAccessible, rows, test } from './fixtures.ts';

test('SIM-04 SIM-05 SHR-08-partial SHR-04-partial a CSV adds the valid rows and reports the others, row by row', async ({
  page,
  tenant,
}) => {
  const { org, admin } = await ownOrganization(tenant, 'Csv');
  const [one, two] = await tenant.routers(2, { org });
  const other = '89049099990000000000000000000229';
  await enter(page, admin, '/devices/esimsList');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page).toHaveURL(/\/devices\/esimsAdd$/u);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Add');
  await page.getByRole('main').getByRole('link', { name: 'SIMs', exact: true }).click();
  await expect(page).toHaveURL(/\/devices\/esimsList$/u);
  await page.goBack();
  await expect(page.getByRole('radio')).toHaveCount(2);
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
  await expect(dialog).toContainText(`Row 6, ${one!.serial}: This is not a valid activation code.`);
  await expect(dialog).toContainText('Row 7, NO-0: Invalid SN or EID');
  await dialog.getByRole('button', { name: 'more...' }).click();
  await expect(dialog.getByRole('listitem')).toHaveCount(11);
  await expectAccessible(page);
  const report = await downloaded(page, 'Download Report');
  expect(report.suggestedFilename()).toBe('eSIMs_error.csv');
  const lines = (await textOf(report)).trim().split('\r\n');
  expect(lines[0]).toBe('serial,eid,ac,iccid,apn1,apn2,name,error');
  expect(lines).toHaveLength(12);
  expect(lines[3]).toContain(`'=cmd`);
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
  tenant,
}) => {
  const { org, admin } = await ownOrganization(tenant, 'Cards');
  const [router] = await tenant.routers(1, { org });
  const { serial } = router!;
  const existing = await tenant.seeding.esim(org, {
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
      await tenant.owner.query<{ name: string; priority: number; iccid: string; apn: string }>(
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
  // A code that requires it needs its confirmation code.
  await fresh.getByLabel('Activation Code').fill('LPA:1$dp.example$SECOND$$1');
  await fresh.getByLabel('APN 1').fill('m2m');
  await save.click();
  await expect(fresh).toContainText('Please enter the Confirmation Code');
  await expect(fresh.getByLabel('Confirmation Code')).toBeFocused();
  await fresh.getByLabel('Confirmation Code').fill('4711');
  await save.click();
  await expect(page.getByText('New eSIM has not been sent yet.')).toBeVisible();
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

  // A server error is shown under the EID, translated or not, and at the card.
  const eidField = page.getByLabel('EID');
  const eidError = page.locator('.esim-router .mantine-InputWrapper-error');
  await fresh.getByRole('textbox', { name: 'ICCID' }).fill('8901410000005551118');
  await save.click();
  await expect(dialog).toContainText('One of the digits of 8901410000005551118 is wrong');
  await dialog.getByRole('button', { name: 'Correct it' }).click();
  await fresh.getByRole('textbox', { name: 'ICCID' }).fill('8901410000005551');
  await save.click();
  await expect(eidError).toHaveText('This is not a valid ICCID. Enter all 18 to 20 digits; they begin with 89.');
  await expect(fresh).toContainText('New eSIM was not saved. Your changes are still here.');
  await fresh.getByRole('textbox', { name: 'ICCID' }).fill('8901410000005551119');
  await tenant.owner.query("update devices set eid = '89049099990000000000000000000229' where serial = $1", [serial]);
  await save.click();
  await expect(eidError).toHaveText('SN and EID do not match.');
  await tenant.owner.query('update devices set eid = null, serial = $2 where serial = $1', [serial, `${serial}-X`]);
  await save.click();
  await expect(eidError).toHaveText('invalid SN or EID');
  await tenant.owner.query('update devices set serial = $2 where serial = $1', [`${serial}-X`, serial]);
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

  // The same cards from the list. Leaving warns about unsaved input, and a card that another user saved is not overwritten.
  await tenant.owner.query(
    "update esim_profiles set status = 'Fail to download', reason = 'iccid-mismatch' where serial = $1 and is_preloaded",
    [serial],
  );
  await page.goto('/devices/esimsList?field=name&search=First');
  await row(page, 'First').locator('td').nth(4).click();
  await expect(page).toHaveURL(new RegExp(`profile=${existing}`, 'u'));
  await expect(cards).toHaveCount(3);
  await expect(card('First').getByLabel('Activation Code')).toHaveAttribute('readonly', '');
  await expect(card('First').getByRole('textbox', { name: 'ICCID' })).toHaveAttribute('readonly', '');
  // The preloaded profile was rejected: only its ICCID can be changed.
  await expect(card('preloaded_eSIM')).toContainText('The ICCID does not match this eSIM.');
  await page.getByRole('button', { name: 'Edit preloaded_eSIM' }).click();
  await card('preloaded_eSIM').getByRole('textbox', { name: 'ICCID' }).fill('8914800000007654326');
  await card('First').getByLabel('APN 2').fill('backup');
  await tenant.owner.query("update esim_profiles set apn = 'theirs', version = version + 1 where id = $1", [existing]);
  await save.click();
  await expect(dialog).toContainText('APN 1 "theirs"');
  await dialog.getByRole('button', { name: 'OK' }).click();
  await expect(card('First').getByLabel('APN 2')).toHaveValue('backup');
  await expect(card('First').getByLabel('APN 1')).toHaveValue('theirs');
  const names = () => cards.evaluateAll((items) => items.map((item) => item.getAttribute('aria-label')));
  const before = await names();
  const handle = (name: string) => page.getByRole('button', { name: `Move ${name}`, exact: true });
  await handle(before[2]!).press('Space');
  await expect(page.getByText(`${before[2]} is at position 3.`)).toBeAttached();
  // A first press that only scrolls the card into view, or comes before the list listens, is repeated, as a person would.
  await expect(async () => {
    await page.keyboard.press('ArrowUp');
    await expect(page.getByText(`${before[2]} is at position 2.`)).toBeAttached({ timeout: 10_000 });
  }).toPass();
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
    await expect(page.getByText(`${before[1]} is at position 1.`)).toBeAttached({ timeout: 500 });
  }).toPass();
  await page.mouse.up();
  await expect.poll(names).toEqual([before[1], before[2], before[0]]);
  // A click right after a drag counts as its end. Once the question is open, it is above the link.
  await expect(async () => {
    if (!(await dialog.isVisible())) await page.getByRole('link', { name: 'SIMs' }).first().click({ timeout: 5_000 });
    await expect(dialog).toBeVisible({ timeout: 5_000 });
  }).toPass();
  await expect(dialog).toContainText('There are unsaved changes. Do you want to save them before leaving?');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL(/\/devices\/esimsList/u);
  const saved = await stored();
  expect(saved.map(({ name }) => name)).toEqual([before[1], before[2], before[0]]);
  expect(saved.find(({ name }) => name === 'preloaded_eSIM')!.iccid).toBe('8914800000007654326');
});
