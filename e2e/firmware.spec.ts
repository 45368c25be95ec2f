import { randomBytes } from 'node:crypto';
import { imageOf } from '@highline/testkit/images';
import { storesOfDemo } from '@highline/testkit/demo';
import { enter, expect, expectAccessible, rows, waitUntilLoaded, test } from './fixtures.ts';
import type { Page } from '@playwright/test';

const row = (page: Page, text: string) => rows(page).filter({ hasText: text });

test('FWR-01 the firmware list shows versions, notes, sizes and dates, three a page, searched by notes, refetched every 60 s', async ({
  page,
  tenant,
}) => {
  const mark = tenant.mark;
  const long = `9.9.9-${mark}-${'x'.repeat(30)}`;
  const note = `First line ${mark}\\nsecond line ${mark}`;
  await tenant.seeding.firmware(tenant.main, { version: long, model: 'HL-R520 5G', note, payload: randomBytes(1_500_000) });
  for (const minor of [1, 2, 3])
    await tenant.seeding.firmware(tenant.main, { version: `1.${minor}.${mark}`, model: 'HL-R320', note: `Other ${mark}` });
  await page.route('**/data_manager/v1/events*', (route) => route.abort());
  await page.clock.install();
  await enter(page, tenant.users.user, '/groups/firmwares');
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Firmware' })).toHaveAttribute('aria-current', 'page');
  await expect(rows(page)).toHaveCount(3);
  await expect(page.getByText(/1–3 of \d+/u)).toBeVisible();
  await page.getByRole('searchbox').fill(`second line ${mark}`);
  await expect(rows(page)).toHaveCount(1);
  const found = rows(page).first();
  await expect(found).toContainText(`${long.slice(0, 27)}…`);
  await expect(found).not.toContainText(long.slice(0, 28));
  await expect(found.locator('[title]').filter({ hasText: '9.9.9' })).toHaveAttribute('title', long);
  await expect(found).toContainText('1.43 MB');
  await expect(found).toContainText(/\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d/u);
  await expect(found).toContainText('Signature and SHA-256');
  await expect(found.locator('br')).toHaveCount(1);
  await expect(found).not.toContainText('\\n');
  await page.getByRole('searchbox').fill(`SECOND LINE ${mark}`);
  await expect(page.getByText('No matched results.')).toBeVisible();
  await page.getByRole('searchbox').fill(`Late ${mark}`);
  await expect(page.getByText('No matched results.')).toBeVisible();
  await tenant.seeding.firmware(tenant.main, { version: `2.0.${mark}`, model: 'HL-R320', note: `Late ${mark}` });
  await page.clock.fastForward(60_000);
  await expect(row(page, `2.0.${mark}`)).toContainText(/ KB/u);
  await expectAccessible(page);
  await page.goto('/devices/firmware');
  await waitUntilLoaded(page);
  await expect(rows(page)).toHaveCount(3);
  await expect(page.getByRole('button', { name: /Upload|Delete/u })).toHaveCount(0);
});

test('FWR-02-partial the main account uploads a signed image, and every invalid one is rejected with a clear message', async ({
  page,
  tenant,
}) => {
  const { signer } = storesOfDemo(tenant.server.dataDir);
  const version = `5.0.${tenant.mark}`;
  const image = imageOf(signer, { model: 'HL-R520 5G', version });
  await enter(page, tenant.users.main, '/firmware');
  const dialog = page.getByRole('dialog');
  const pick = (name: string, buffer: Buffer) =>
    dialog.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
  const open = () => page.getByRole('button', { name: 'Upload' }).click();
  const start = () => dialog.getByRole('button', { name: 'Upload', exact: true }).click();
  const alert = page.getByRole('alert');

  await open();
  await expect(dialog.getByRole('button', { name: 'Upload', exact: true })).toHaveAttribute('aria-disabled', 'true');
  const odd = `../../"quoted" 🚌 ${'n'.repeat(260)}.img`;
  for (const [name, bytes, message] of [
    ['empty.img', Buffer.alloc(0), /The file is empty/u],
    ['cut.img', image.subarray(100), /incomplete/u],
    ['changed.img', Buffer.concat([Buffer.from([image[0]! ^ 1]), image.subarray(1)]), /not signed with a trusted key/u],
    [odd, Buffer.from('nothing of ours'), /is not signed/u],
  ] as const) {
    await pick(name, Buffer.from(bytes));
    await dialog.getByLabel('Version').fill(version);
    await dialog.getByLabel('Device model').fill('HL-R520 5G');
    await start();
    await expect(alert).toContainText(message);
    await page.getByRole('button', { name: 'Back to the form' }).click();
    await expect(dialog.getByLabel('Version')).toHaveValue(version);
  }
  await pick('good.img', image);
  await expect(dialog.getByLabel('Version')).toHaveValue(version);
  await expect(dialog.getByLabel('Device model')).toHaveValue('HL-R520 5G');
  await dialog.getByLabel('Release notes').fill('From the browser');
  await start();
  await page.getByLabel('Search in').selectOption({ label: 'Version' });
  await page.getByRole('searchbox').fill(version);
  await expect(row(page, version)).toContainText('From the browser');

  await open();
  await pick('again.img', image);
  await start();
  await expect(alert).toContainText('is already in the catalog');
  await alert.getByRole('button', { name: 'Close' }).click();

  // Bound firmware stays, and the error names the groups.
  const group = await tenant.seeding.group(tenant.org, `Binds ${tenant.mark}`);
  const { rows: stored } = await tenant.owner.query<{ id: string }>('select id from firmware where version = $1', [version]);
  await page.request.post('/data_manager/v1/binding/group/firmware', {
    headers: { authorization: `Bearer ${tenant.users.admin.bearer}`, cookie: '' },
    data: { firmware: stored[0]!.id, group, schedule: 'immediate' },
  });
  const remove = async () => {
    await page.getByRole('button', { name: `Delete version ${version}` }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
  };
  await remove();
  await expect(page.getByRole('alertdialog')).toContainText(`Binds ${tenant.mark}`);
  await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click();
  await tenant.owner.query('update bindings set ended_at = now() where firmware_id = $1', [stored[0]!.id]);
  await remove();
  await expect(page.getByText('No matched results.')).toBeVisible();
});
