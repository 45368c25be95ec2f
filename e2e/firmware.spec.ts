import { imageOf } from '@highline/testkit/images';
import { storesOfDemo } from '@highline/testkit/demo';
import { enter, expect, rows, test } from './fixtures.ts';
import type { Page } from '@playwright/test';

const row = (page: Page, text: string) => rows(page).filter({ hasText: text });

test('FWR-02-partial the main account uploads a signed image, and one that is changed or unsigned is rejected with a clear message', async ({
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
});
