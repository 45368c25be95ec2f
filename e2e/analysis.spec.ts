import { readFile } from 'node:fs/promises';
import { enter, expect, expectAccessible, rows, waitUntilLoaded, test } from './fixtures.ts';

test.use({ timezoneId: 'UTC' });

const DAY_MS = 86_400_000;

test('ANA-01 ANA-02 OVW-08 RPT-02-partial RPT-03-partial queries become charts, are pinned to the overview, and lead to their records', async ({
  page,
  tenant,
}) => {
  test.slow();
  const org = await tenant.seeding.organization(tenant.main, `Analysed ${tenant.mark}`);
  const email = `analysed-${tenant.mark.toLowerCase()}@highline.example`;
  const id = await tenant.seeding.account(org, email, 'admin');
  const groupName = `Analysed depot ${tenant.mark}`;
  const group = await tenant.seeding.group(org, groupName);
  const routers = await tenant.routers(2, { org, group });
  const start = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  await tenant.owner.query("select ensure_partitions((now() - interval '1 day')::date, (now() + interval '1 day')::date)");
  for (const [index, { serial }] of routers.entries()) {
    const { rows: stored } = await tenant.owner.query<{ router_id: string }>('select router_id from devices where serial = $1', [
      serial,
    ]);
    const key = stored[0]!.router_id;
    await tenant.owner.query('update router_ownership set owned_from = $2 where router_id = $1', [key, new Date(start - DAY_MS)]);
    await tenant.owner.query(
      `insert into telemetry (router_id, at, parameter, value)
       select $1, to_timestamp($2) + n * interval '10 minutes', 1, -60 - (n + $3) % 20 from generate_series(0, 143) n`,
      [key, start / 1000, index * 5],
    );
    await tenant.owner.query(
      "insert into connectivity (router_id, at, kind, reason) values ($1, $2, 'online', 'connected'), ($1, $3, 'offline', 'silence')",
      [key, new Date(start + 3_600_000), new Date(start + 7_200_000)],
    );
  }
  const session = { id, email, bearer: await tenant.seeding.bearer(id) };
  await enter(page, session, '/dashboard');
  await page.getByRole('navigation').getByRole('link', { name: 'Analysis' }).click();
  await waitUntilLoaded(page);
  const form = page.getByRole('group', { name: 'Filters' });
  const draw = page.getByRole('group', { name: 'Draw a chart' });
  const drawChart = (name: string) => draw.getByRole('button', { name, exact: true }).click();
  const property = (label: string) => form.getByLabel('Property').selectOption({ label });
  const pick = async (field: 'Group' | 'Device', name: string) => {
    await form.getByRole('button', { name: new RegExp(`^${field}\\b`, 'u') }).click();
    await page.getByRole('option', { name }).click();
  };

  await expectAccessible(page);
  await pick('Group', groupName);
  await property('Signal strength (RSSI) (dBm)');
  await pick('Device', routers[0]!.serial);
  // Windows of a single day; then each chart once, however often it is requested.
  await expect(form.getByLabel('Window').getByRole('option')).toHaveText([
    /^Automatic/u,
    '1 day',
    '1 hour',
    '30 minutes',
    '10 minutes',
    '5 minutes',
  ]);
  const charts = page.getByRole('region').filter({ has: page.getByRole('button', { name: /^Remove /u }) });
  const marks = (chart: typeof charts) => chart.locator('.vega svg g[class*="mark-"] path');
  await drawChart('Average');
  await expect(charts).toHaveCount(1);
  const average = page.getByRole('region', { name: 'Average of Signal strength (RSSI) (dBm)' });
  // In the first hour of a day there is one value.
  await expect(average.getByRole('img', { name: /\d values?,? .*−\d/u })).toBeVisible();
  await expect(marks(average).first()).toBeAttached();
  await expect(average.getByRole('heading')).toBeFocused();
  await drawChart('Run chart');
  await expect(charts).toHaveCount(2);
  await drawChart('Summary');
  await expect(charts).toHaveCount(3);
  await drawChart('Average');
  await expect(average.getByRole('heading')).toBeFocused();
  await expect(charts).toHaveCount(3);
  await expect(page).toHaveURL(/charts=average\.sumarty\.runChart/u);
  for (const mark of ['Bar', 'Area', 'Line']) {
    await average.getByRole('button', { name: mark }).click();
    await expect(average.locator(`.vega svg .mark-${mark === 'Bar' ? 'rect' : mark.toLowerCase()}`).first()).toBeAttached();
  }
  // A chart that is drawn again meanwhile loses the mark below the pointer.
  await expect(async () => {
    await page.mouse.move(0, 0);
    await average.locator('.vega').hover();
    await expect(average.locator('.vega__tip')).toContainText('dBm', { timeout: 1_000 });
  }).toPass();
  await expect(average.locator('.chart__figures')).toContainText(/Minimum−\d+(?:\.\d\d?)? dBm/u);
  await average.getByRole('button', { name: 'View as table' }).click();
  await expect(average.getByRole('table')).toContainText(
    new RegExp(`${new Date(start).toISOString().slice(5, 7)}/\\d\\d/\\d{4}`, 'u'),
  );
  await average.getByRole('button', { name: 'View as chart' }).click();
  for (const [kind, ending] of [
    ['Picture (PNG)', 'png'],
    ['Drawing (SVG)', 'svg'],
    ['Values (CSV)', 'csv'],
  ] as const) {
    await average.getByRole('button', { name: 'Save as' }).click();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: kind }).click()]);
    expect(download.suggestedFilename()).toBe(`Average of Signal strength (RSSI) (dBm).${ending}`);
    // A table of one value has about 60 characters.
    expect((await readFile(await download.path())).length).toBeGreaterThan(40);
  }
  await property('Online');
  await drawChart('Pie chart');
  const shares = page.getByRole('region', { name: 'Shares of Online (records)' });
  await expect(shares.locator('.vega svg .mark-arc path').first()).toBeAttached();
  await drawChart('Devices');
  await expect(charts).toHaveCount(5);
  await form.getByLabel('Condition').selectOption('equal');
  await form.getByLabel('Value').fill('true');
  await drawChart('Records');
  await expect(charts).toHaveCount(6);
  await page.getByRole('button', { name: 'Yesterday' }).click();
  await drawChart('Pie chart');
  await expect(page.getByRole('region').filter({ hasText: 'No data' })).not.toHaveCount(0);
  await expectAccessible(page);

  // Pinned and marked as such; the overview reloads it and unpins it.
  await average.getByRole('button', { name: 'Pin to dashboard' }).click();
  await expect(average.getByText('Pinned', { exact: true })).toBeVisible();
  await page.getByRole('navigation').getByRole('link', { name: 'Overview' }).click();
  await waitUntilLoaded(page);
  const pinned = page.getByRole('group', { name: 'Pinned charts' });
  const chart = pinned.getByRole('region', { name: 'Average of Signal strength (RSSI) (dBm)' });
  await expect(chart.locator('.time-chart__line').first()).toBeAttached();
  await expect(chart.getByRole('slider')).toHaveAttribute('aria-valuetext', /^−\d+.* dBm · \d\d\/\d\d\/\d{4}/u);
  await expectAccessible(page);
  await chart.getByRole('link', { name: 'Show records' }).click();
  await expect(page).toHaveURL(/\/reports\/list\/goto\?/u);
  await expect(page.getByText('1–10 of 144')).toBeVisible();
  await expect(rows(page).first()).toContainText(routers[0]!.serial);
  await expect(page.getByText(`Group: ${groupName}`)).toBeVisible();
  await page.goBack();
  await pinned.getByRole('button', { name: /^Unpin/u }).click();
  await expect(pinned).toHaveCount(0);
});
