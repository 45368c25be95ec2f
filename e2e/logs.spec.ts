import { readFile } from 'node:fs/promises';
import { enter, expect, expectAccessible, rows, waitUntilLoaded, showRows, test, visit } from './fixtures.ts';

test('LOG-01 OVW-03 the log lists who did what from where, is filtered by text and days, and is a CSV', async ({
  page,
  tenant,
}) => {
  const org = await tenant.seeding.organization(tenant.main, `Logged ${tenant.mark}`);
  const email = `logged-${tenant.mark.toLowerCase()}@highline.example`;
  const id = await tenant.seeding.account(org, email, 'admin');
  const [router] = await tenant.routers(1, { org });
  const { rows: stored } = await tenant.owner.query<{ id: string }>('select id from devices where serial = $1', [router!.serial]);
  await page.clock.install();
  await enter(
    page,
    { id, email, bearer: await tenant.seeding.bearer(id) },
    `/devices/setting?device=${stored[0]!.id}&tab=settings`,
  );
  await page.getByLabel('Vehicle#').fill('Bus 7');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-disabled', 'true');

  await visit(page, '/dashboard');
  await page.getByRole('region', { name: 'Logs', exact: true }).getByRole('link').click();
  await expect(page).toHaveURL(/\/logs$/u);
  await waitUntilLoaded(page);
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Logs' })).toHaveAttribute('aria-current', 'page');
  await expect(page.getByRole('columnheader')).toHaveText(['', /#/u, /Date\/Time/u, /Cloud User/u, /IP Address/u, /Action/u]);
  const saved = rows(page).filter({ hasText: 'vehicle' });
  await expect(saved).toContainText(email);
  await expect(saved).toContainText(/127\.0\.0\.1|::1/u);
  await saved.getByRole('button').click();
  const alert = page.getByRole('alertdialog');
  // What changed; what proves it is one click further.
  await expect(alert.getByRole('row', { name: 'Vehicle number none Bus 7' })).toBeVisible();
  await expect(alert.getByRole('link', { name: 'Open the device' })).toHaveAttribute('href', new RegExp(stored[0]!.id, 'u'));
  await expect(alert.getByText(/^[0-9a-f]{64}$/u)).toBeHidden();
  await alert.getByText('Proof').click();
  await expect(alert.getByText(/^[0-9a-f]{64}$/u)).toBeVisible();
  await expectAccessible(page);
  await alert.getByRole('button', { name: 'OK' }).click();

  // An action while the page is open: 200 characters, written as the server writes it, and shown after 60 s.
  const long = `Changed ${'x'.repeat(192)}`;
  await tenant.audit(org, { email: 'kim@highline.example', address: '192.0.2.77' }, long, new Date('2025-01-06T10:00:00Z'));
  await page.clock.fastForward(60_000);
  const cut = rows(page).filter({ hasText: 'kim@highline.example' });
  await expect(cut).toContainText(`${long.slice(0, 118)}…`);
  await expect(cut).not.toContainText(long.slice(0, 119));
  await cut.getByRole('button').click();
  await expect(alert).toContainText(long);
  await alert.getByRole('button', { name: 'OK' }).click();

  const search = page.getByRole('searchbox');
  for (const text of ['kim@', '192.0.2.77', 'Changed xxx']) {
    await search.fill(text);
    await expect(rows(page)).toHaveCount(1);
    await expect(cut).toHaveCount(1);
  }
  await search.fill('KIM@');
  await expect(page.getByText('No matched results.')).toBeVisible();
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  const span = async (name: string) => {
    await page.getByRole('button', { name: 'Filter by Date' }).click();
    await page.getByRole('option', { name, exact: true }).click();
    await waitUntilLoaded(page);
  };
  for (const name of ['Today', 'This week', 'This month']) {
    await span(name);
    await expect(saved).toHaveCount(1);
    await expect(cut).toHaveCount(0);
  }
  // By person and by kind of thing.
  await span('All dates');
  await page.getByRole('button', { name: 'Filter by Person' }).click();
  await page.getByRole('option', { name: 'kim@highline.example' }).click();
  await expect(rows(page)).toHaveCount(1);
  await expect(page).toHaveURL(/person=kim/u);
  await page.getByRole('button', { name: /Person: kim@/u }).click();
  await page.getByRole('button', { name: 'Filter by About' }).click();
  await page.getByRole('option', { name: 'Groups' }).click();
  await expect(saved).toHaveCount(0);
  await page.getByRole('button', { name: /About: Groups/u }).click();
  await expect(saved).toHaveCount(1);
  await span('Custom');
  await page.getByLabel('From').fill('01/06/2025');
  await page.getByLabel('From').press('Enter');
  await page.getByLabel('Until').fill('01/06/2025');
  await page.getByLabel('Until').press('Enter');
  await page.getByLabel('Until').press('Escape');
  await expect(rows(page)).toHaveCount(1);
  await expect(cut).toHaveCount(1);
  await expectAccessible(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download(.csv)' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('Logs_export.csv');
  const csv = await readFile(await download.path(), 'utf8');
  expect(csv.split('\r\n').filter((line) => line !== '')).toHaveLength(2);
  expect(csv).toContain(long);
  await span('All dates');
  await showRows(page, 50);
  await expect(saved).toHaveCount(1);
});

test('LOG-01 in Chinese the log, its file and the timeline read in Chinese; the stored English text is under the proof', async ({
  page,
  tenant,
}) => {
  const org = await tenant.seeding.organization(tenant.main, `Chinese ${tenant.mark}`);
  const email = `chinese-${tenant.mark.toLowerCase()}@highline.example`;
  const id = await tenant.seeding.account(org, email, 'admin');
  const [router] = await tenant.routers(1, { org });
  const { rows: stored } = await tenant.owner.query<{ id: string }>('select id from devices where serial = $1', [router!.serial]);
  const bearer = await tenant.seeding.bearer(id);
  const saved = await page.request.patch(`${tenant.server.url}/data_manager/v1/dm/device`, {
    headers: { authorization: `Bearer ${bearer}` },
    data: { device: stored[0]!.id, vehicleNumber: '北站 7', note: 'x' },
  });
  expect(saved.status(), await saved.text()).toBe(200);
  await page.addInitScript(() => localStorage.setItem('highline.language', 'zh-TW'));
  await enter(page, { id, email, bearer }, '/logs');
  const sentence = `已變更裝置 ${router!.serial} 的車輛編號、備註`;
  const row = rows(page).filter({ hasText: sentence });
  await expect(row).toHaveCount(1);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: '下載（.csv）' }).click();
  expect(await readFile(await (await downloading).path(), 'utf8')).toContain(sentence);
  await row.getByRole('button').click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText(sentence);
  const english = dialog.getByText(`Changed vehicle number, note of device ${router!.serial}`);
  await expect(english).toBeHidden();
  await dialog.getByText('證明').click();
  await expect(english).toBeVisible();
  await visit(page, `/devices/setting?device=${stored[0]!.id}&tab=timeline`);
  await expect(page.getByText(sentence)).toBeVisible();
});
