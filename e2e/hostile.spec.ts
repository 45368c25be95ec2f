import type { Page } from '@playwright/test';
import { enter, expect, leave, rows, waitUntilLoaded, test } from './fixtures.ts';

// Untrusted names: of people, and of what routers report.

const script = '<script>window.hacked=1</script><img src=x onerror=hacked=1>';
const formula = `=HYPERLINK("http://evil.example","x")`;
const backwards = '\u{202e}gnp.exe\u{2066}';
const emoji = '🚌👩🏽‍🚒🇹🇼 \u{0}'.replace('\u{0}', '');

test.beforeEach(async ({ page }) => {
  page.on('dialog', (dialog) => {
    expect(dialog.type(), 'no script of a name may run').toBe('beforeunload');
    void dialog.accept();
  });
});

async function expectInert(page: Page): Promise<void> {
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
  const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
  expect(scrollWidth).toBe(clientWidth);
}

test('names that are script, formula, right-to-left or emoji are shown unchanged, run nothing and fit on the screens', async ({
  page,
  tenant,
}) => {
  // A form rejects what writes from right to left; names from before may have it.
  const names = [script, formula, backwards, emoji];
  const org = await tenant.seeding.organization(tenant.main, `${script} ${tenant.mark}`);
  for (const name of names) await tenant.seeding.group(org, name);
  const account = await tenant.seeding.account(org, `hostile-${tenant.mark.toLowerCase()}@highline.example`, 'admin');
  const admin = { id: account, email: '', bearer: await tenant.seeding.bearer(account) };
  const routers = await tenant.routers(names.length, { org });
  for (const [index, name] of names.entries())
    await tenant.owner.query('update devices set vehicle_number = $1, note = $2 where serial = $3', [
      name,
      name,
      routers[index]!.serial,
    ]);
  // A router may report anything about itself.
  const fleet = tenant.fleet(routers.slice(0, 1), { model: 'M'.repeat(64), carrier: script.slice(0, 64), config: formula });
  await fleet.whenAllConnected();

  await enter(page, admin, '/devices/list?size=10&sort=serial');
  for (const [index, name] of names.entries()) {
    const cells = rows(page).nth(index).getByRole('cell', { name, exact: true });
    await expect(cells.first()).toBeVisible();
    const texts = () => rows(page).nth(index).locator('td').allTextContents();
    await expect.poll(async () => (await texts()).filter((text) => text === name)).toHaveLength(2);
  }
  await expect(rows(page).first()).toContainText('MMMM');
  await expectInert(page);
  await page.getByRole('button', { name: 'Filter by Group' }).click();
  for (const name of names) await expect(page.getByRole('option', { name, exact: true })).toBeVisible();
  await page.getByRole('option', { name: script, exact: true }).click();
  await waitUntilLoaded(page);
  await expectInert(page);
  await page.goto('/dashboard');
  await waitUntilLoaded(page);
  await expect(page.getByRole('button', { name: new RegExp(`^${script.slice(0, 8)}`, 'u') })).toBeVisible();
  await expectInert(page);
  const { rows: stored } = await tenant.owner.query<{ id: string }>('select id from devices where serial = $1', [
    routers[0]!.serial,
  ]);
  await page.goto(`/devices/setting?device=${stored[0]!.id}&tab=settings`);
  await waitUntilLoaded(page);
  await expect(page.getByLabel('Vehicle#')).toHaveValue(script);
  await expectInert(page);

  await leave(page);
  await enter(page, tenant.users.main, `/organization?search=${encodeURIComponent(script)}`);
  await expect(rows(page).first()).toContainText(script);
  await expectInert(page);
  await rows(page).first().getByRole('link').last().click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText(script);
  await expectInert(page);
});
