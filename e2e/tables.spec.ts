import { mkdirSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { enter, expect, rows, TAKES_PICTURES, test, waitUntilLoaded } from './fixtures.ts';

async function picture(page: Page, name: string): Promise<void> {
  if (!TAKES_PICTURES) return;
  mkdirSync('.cache/pictures', { recursive: true });
  await page.screenshot({ path: `.cache/pictures/${name}.png` });
}

/** Widths of the headers on the screen in px. */
const widths = (page: Page) =>
  page.locator('th[data-column]').evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().width)));
const widthOf = async (page: Page, column: string) =>
  Math.round((await page.locator(`th[data-column="${column}"]`).boundingBox())!.width);

test('columns keep their widths whatever the rows hold, are resized by pointer and keyboard, and keep it; a table uses the whole window (P18)', async ({
  page,
  tenant,
}) => {
  const [first] = await tenant.routers(2);
  const own = 'update devices set vehicle_number = $1 where serial = $2';
  await page.setViewportSize({ width: 1920, height: 1000 });
  await enter(page, tenant.users.admin, `/devices/list?search=${tenant.mark}&size=20`);
  await expect(rows(page)).toHaveCount(2);
  const table = (await page.locator('.table-card').boundingBox())!;
  expect(table.x + table.width).toBeGreaterThan(1920 - 40);
  const before = await widths(page);
  const long = 'Articulated bus on loan from the northern depot, number 7';
  await tenant.owner.query(own, [long, first!.serial]);
  await page.reload();
  await waitUntilLoaded(page);
  const vehicle = rows(page).filter({ hasText: first!.serial }).locator('td').filter({ hasText: long });
  await expect(vehicle).toBeVisible();
  expect(await widths(page)).toEqual(before);
  await picture(page, 'tables-1920');

  // ↓ leads from the search to the first row, → to what it hides; Esc closes that and nothing else.
  await page.getByRole('searchbox').focus();
  await page.keyboard.press('ArrowDown');
  await expect(rows(page).first()).toBeFocused();
  const whole = page.locator('.table__whole');
  await rows(page).filter({ hasText: first!.serial }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(whole).toHaveText(long);
  await picture(page, 'tables-whole');
  await page.keyboard.press('Escape');
  await expect(whole).toBeHidden();
  await expect(rows(page).filter({ hasText: first!.serial })).toBeFocused();

  // The edge of a header is dragged.
  const edge = (await page.locator('th[data-column="vehicle"] .table__resizer').boundingBox())!;
  const grip = { x: edge.x + edge.width / 2, y: edge.y + edge.height / 2 };
  const old = await widthOf(page, 'vehicle');
  await page.mouse.move(grip.x, grip.y);
  await page.mouse.down();
  await page.mouse.move(grip.x + 60, grip.y, { steps: 4 });
  await page.mouse.move(grip.x + 120, grip.y, { steps: 4 });
  expect(await widthOf(page, 'vehicle')).toBe(old + 120);
  await page.mouse.up();
  expect(await widthOf(page, 'vehicle')).toBe(old + 120);
  // By keyboard, in the list of columns.
  await page.getByRole('button', { name: 'Columns' }).click();
  const columns = page.getByRole('dialog', { name: 'Columns' });
  const field = columns.getByRole('spinbutton', { name: 'Width of Device Model in pixels' });
  await field.fill('210');
  await field.press('Tab');
  await picture(page, 'tables-columns');
  await page.keyboard.press('Escape');
  expect(await widthOf(page, 'model')).toBe(210);
  await page.reload();
  await waitUntilLoaded(page);
  expect([await widthOf(page, 'vehicle'), await widthOf(page, 'model')]).toEqual([old + 120, 210]);

  // BLK-03: a view has widths of its own.
  await page.getByRole('button', { name: /^Views/u }).click();
  await page.getByRole('menuitem', { name: 'Save as a new view…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Wide');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('button', { name: 'Views: Wide' })).toBeVisible();
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await waitUntilLoaded(page);
  await expect.poll(() => widthOf(page, 'vehicle')).toBe(old + 120);

  // A narrow window: the table scrolls, and its edges say so.
  await page.setViewportSize({ width: 1100, height: 800 });
  const frame = page.locator('.table-frame');
  await expect(frame).toHaveAttribute('data-right', '');
  await expect(frame).not.toHaveAttribute('data-left');
  await page.locator('.table-region').evaluate((region) => region.scrollTo({ left: 10_000 }));
  await expect(frame).toHaveAttribute('data-left', '');
  await expect(frame).not.toHaveAttribute('data-right');
  await picture(page, 'tables-scrolled');
});

test('a long press shows what a cell hides, and a list shows its long texts whole (P18)', async ({ browser, tenant }) => {
  const [router] = await tenant.routers(1);
  const long = 'Articulated bus on loan from the northern depot, number 8';
  await tenant.owner.query('update devices set vehicle_number = $1 where serial = $2', [long, router!.serial]);
  const context = await browser.newContext({ viewport: { width: 1000, height: 844 }, hasTouch: true });
  const page = await context.newPage();
  await enter(page, tenant.users.admin, `/devices/list?search=${router!.serial}`);
  const cell = rows(page).first().locator('td', { hasText: long });
  const touch = await context.newCDPSession(page);
  const whole = page.locator('.table__whole');
  let { height } = (await cell.boundingBox())!;
  // The row moves once more where a part above the list comes late.
  await expect(async () => {
    const box = (await cell.boundingBox())!;
    ({ height } = box);
    const at = [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }];
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at });
    try {
      await expect(whole).toHaveText(long, { timeout: 3_000 });
    } catch (error) {
      await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
      throw error;
    }
  }).toPass({ timeout: 30_000 });
  await picture(page, 'tables-1000');
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await expect(page).toHaveURL(/devices\/list/u);
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('dialog', { name: 'Columns' }).getByRole('checkbox', { name: 'Show long texts whole' }).check();
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await cell.boundingBox())!.height).toBeGreaterThan(height);
  await context.close();
});
