import { readFile } from 'node:fs/promises';
import { enter, expect, expectAccessible, rows, test, visit } from './fixtures.ts';

test('LOG-01-partial OVW-03 the overview counts the log, which says what a person changed, in English and in Chinese, as its file does', async ({
  page,
  tenant,
}) => {
  const org = await tenant.seeding.organization(tenant.main, `Logged ${tenant.mark}`);
  const email = `logged-${tenant.mark.toLowerCase()}@highline.example`;
  const id = await tenant.seeding.account(org, email, 'admin');
  const bearer = await tenant.seeding.bearer(id);
  const [router] = await tenant.routers(1, { org });
  const { rows: stored } = await tenant.owner.query<{ id: string }>('select id from devices where serial = $1', [router!.serial]);
  const device = stored[0]!.id;
  const saved = await page.request.patch(`${tenant.server.url}/data_manager/v1/dm/device`, {
    headers: { authorization: `Bearer ${bearer}` },
    data: { device, vehicleNumber: '北站 7', note: 'x' },
  });
  expect(saved.status(), await saved.text()).toBe(200);
  await enter(page, { id, email, bearer }, '/dashboard');
  await page.getByRole('region', { name: 'Logs', exact: true }).getByRole('link').click();
  await expect(page).toHaveURL(/\/logs$/u);
  const row = rows(page).filter({ hasText: `Changed vehicle number, note of device ${router!.serial}` });
  await expect(row).toContainText(email);
  await expect(row).toContainText(/127\.0\.0\.1|::1/u);
  await row.getByRole('button').click();
  const alert = page.getByRole('alertdialog');
  await expect(alert.getByRole('row', { name: 'Vehicle number none 北站 7' })).toBeVisible();
  await expect(alert.getByRole('link', { name: 'Open the device' })).toHaveAttribute('href', new RegExp(device, 'u'));
  await expect(alert.getByText(/^[0-9a-f]{64}$/u)).toBeHidden();
  await alert.getByText('Proof').click();
  await expect(alert.getByText(/^[0-9a-f]{64}$/u)).toBeVisible();
  await expectAccessible(page);
  await alert.getByRole('button', { name: 'OK' }).click();

  await page.evaluate(() => localStorage.setItem('highline.language', 'zh-TW'));
  await page.reload();
  const sentence = `已變更裝置 ${router!.serial} 的車輛編號、備註`;
  await expect(rows(page).filter({ hasText: sentence })).toHaveCount(1);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: '下載（.csv）' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('Logs_export.csv');
  expect(await readFile(await download.path(), 'utf8')).toContain(sentence);
  await visit(page, `/devices/setting?device=${device}&tab=timeline`);
  await expect(page.getByText(sentence)).toBeVisible();
});
