import type { Page } from '@playwright/test';
import { enter, expect, rows, test, visit } from './fixtures.ts';

// Paper has what the page says, whole, without what only a screen can use.

/** How many sheets a page fills, and whether they lie on the longer edge. */
async function sheetsOf(page: Page): Promise<{ count: number; isLandscape: boolean }> {
  const file = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
  const [, width, height] = /\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/u.exec(file) ?? [];
  return { count: file.match(/\/Type\s*\/Page\b/gu)?.length ?? 0, isLandscape: Number(width) > Number(height) };
}

test('SAY-12 a list prints whole with its title, filters, time and zone, white in the dark scheme; so do a device, a report and the map', async ({
  page,
  tenant,
}) => {
  const routers = await tenant.routers(45);
  await page.addInitScript(() => localStorage.setItem('highline.scheme', 'dark'));
  await enter(page, tenant.users.admin, `/devices/list?size=50&search=${tenant.mark}&field=serial&presence=never`);
  await expect(rows(page)).toHaveCount(routers.length);

  await page.setViewportSize({ width: 1040, height: 700 });
  await page.emulateMedia({ media: 'print' });
  for (const gone of [
    page.getByRole('banner').first(),
    page.getByRole('searchbox'),
    page.getByRole('button', { name: 'Columns' }),
  ])
    await expect(gone).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, name: 'Devices' })).toBeVisible();
  await expect(page.locator('.print-head')).toContainText(/\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d \w+/u);
  await expect(page.getByText(`Serial #: “${tenant.mark}”`)).toBeVisible();
  await expect(page.getByText('Online Status: Never connected')).toBeVisible();
  const paper = await page.evaluate(() => {
    const table = document.querySelector('.table')!.getBoundingClientRect();
    const last = [...document.querySelectorAll('tr[data-row]')].at(-1)!.getBoundingClientRect();
    const dot = getComputedStyle(document.querySelector('.status__dot')!);
    return {
      right: table.right - innerWidth,
      below: last.bottom - document.documentElement.scrollHeight,
      background: getComputedStyle(document.body).backgroundColor,
      header: getComputedStyle(document.querySelector('.table thead')!).display,
      colors: dot.printColorAdjust,
    };
  });
  expect(paper).toMatchObject({ background: 'rgb(255, 255, 255)', header: 'table-header-group', colors: 'exact' });
  expect(paper.right).toBeLessThanOrEqual(0);
  expect(paper.below).toBeLessThanOrEqual(0);
  const list = await sheetsOf(page);
  expect(list.count).toBeGreaterThan(1);
  expect(list.isLandscape).toBe(true);

  const { id } = (await tenant.owner.query('select id from devices where serial = $1', [routers[0]!.serial])).rows[0] as {
    id: string;
  };
  await page.emulateMedia({ media: 'screen' });
  await visit(page, `/devices/setting?device=${id}`);
  expect(await sheetsOf(page)).toMatchObject({ isLandscape: false });

  await visit(page, '/reports/list/record');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('form', { name: 'Report' })).toBeHidden();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();

  // What the graphics card draws is on no paper: a copy of it is.
  await page.emulateMedia({ media: 'screen' });
  await visit(page, '/map');
  await expect(async () => {
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    const isDrawn = await page.locator('canvas.map-print').evaluate(
      (copy: HTMLCanvasElement) => {
        const { data } = copy.getContext('2d')!.getImageData(0, 0, copy.width, copy.height);
        return data.some((value) => value > 0);
      },
      undefined,
      { timeout: 1_000 },
    );
    expect(isDrawn).toBe(true);
  }).toPass({ timeout: 60_000 });
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await expect(page.locator('canvas.map-print')).toHaveCount(0);
});
