import { readFile } from 'node:fs/promises';
import { enter, expect, expectAccessible, leave, rows, test, waitUntilLoaded, visit } from './fixtures.ts';
import { INDEFINITE_MS } from './tenant.ts';

test('DPG-01 the page of a device: vehicle first, its state with duration or reason, signal, network, firmware, group and place; tabs in the address, for each role', async ({
  page,
  tenant,
}) => {
  const name = `Header depot ${tenant.mark}`;
  const group = await tenant.seeding.group(tenant.org, name);
  const [router] = await tenant.routers(1, { group });
  const { serial } = router!;
  const fleet = tenant.fleet([router!]);
  await fleet.whenAllConnected();
  const { rows: found } = await tenant.owner.query<{ id: string }>(
    `update devices set vehicle_number = 'Bus 2104' where serial = $1 returning id`,
    [serial],
  );
  const path = `/devices/setting?device=${found[0]!.id}`;
  const heading = page.getByRole('heading', { level: 1 });
  const status = page.locator('.device-status');
  const tabs = page.getByRole('navigation', { name: 'Parts of this device' });
  const current = tabs.locator('[aria-current="page"]');
  const tab = async (label: string) => {
    await tabs.getByRole('link', { name: label }).click();
    await expect(current).toHaveText([label]);
    await waitUntilLoaded(page);
  };

  await enter(page, tenant.users.admin, `/devices/list?search=${serial}`);
  await rows(page).first().press('Enter');
  await expect(heading).toHaveText('Bus 2104');
  await expect(page.locator('.page-header')).toContainText(serial);
  // The time runs on without a call.
  await page.clock.install();
  await page.reload();
  await waitUntilLoaded(page);
  await expect(status).toContainText(/Online.*connected for \d+ (?:s|min)/u);
  await page.clock.fastForward(47 * 60_000);
  await expect(status).toContainText(/connected for (?:47|48|49) min/u);
  await expect(status).toContainText(/−\d+ dBm/u);
  await expect(status).toContainText(/good|fair|poor/u);
  // A router that is connected is served by its cell now.
  await expect(status).not.toContainText('last known');
  for (const text of ['Verizon', /LTE|NR/u, '2.8.1', 'HL-R520 5G', /Cell \d+/u]) await expect(status).toContainText(text);
  await expect(status.getByRole('link', { name })).toHaveAttribute('href', new RegExp(`group=${group}`, 'u'));

  // Each tab has its own address, and keeps it through a reload; the header stays.
  await expect(tabs.getByRole('link')).toHaveText([
    'Overview',
    'Timeline',
    'SIMs',
    'Location',
    'Uplinks',
    'Wi-Fi',
    'Clients',
    'Diagnostics',
    'Tools',
    'Settings',
  ]);
  await expect(current).toHaveText(['Overview']);
  const empty = page.getByRole('region', { name: 'Properties', exact: true });
  await expect(empty).toContainText('No properties yet.');
  expect((await empty.boundingBox())!.height).toBeLessThan(120);
  await tab('SIMs');
  await expect(page).toHaveURL(/tab=sims$/u);
  await expect(page.getByRole('region', { name: 'SIM in use' })).toContainText(/89\d{17,18}/u);
  await page.reload();
  await waitUntilLoaded(page);
  await expect(current).toHaveText(['SIMs']);
  await expectAccessible(page);
  await tab('Location');
  await expect(page.getByRole('region', { name: 'Mobile network' })).toContainText(/Cell\s*\d+/u);
  await tab('Diagnostics');
  await expect(page.getByRole('region', { name: 'Router agent' })).toContainText(/Clock\s*In sync/u);
  await expect(page.getByRole('region', { name: 'Commands', exact: true })).toContainText('No commands yet.');
  expect((await page.getByRole('region', { name: 'Commands', exact: true }).boundingBox())!.height).toBeLessThan(120);
  await expectAccessible(page);
  await visit(page, `${path}&events=connection`);
  await expect(current).toHaveText(['Timeline']);

  // By keyboard; unsaved changes are not lost to another tab.
  await tabs.getByRole('link', { name: 'Settings' }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/tab=settings$/u);
  await page.getByLabel('Notes').fill('Rear antenna');
  await tabs.getByRole('link', { name: 'Overview' }).click();
  await expect(page.getByRole('alertdialog')).toContainText('Do you want to save them before leaving?');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Edit success')).toBeVisible();
  await expect(current).toHaveText(['Overview']);

  // Offline: since when and why, what was known last, and what cannot be done now.
  await page.clock.resume();
  fleet.routers.get(serial)!.powerCut(INDEFINITE_MS);
  await expect(status).toContainText('Offline', { timeout: 90_000 });
  await expect(status).toContainText(/since \d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d · \w/u);
  await expect(status).toContainText('last known');
  await expect(page.getByRole('button', { name: 'Connect', exact: true })).toHaveAccessibleDescription(
    'The connection cannot be built because the device is offline.',
  );

  // A user and the main account look at the same; neither may change it, nor does the server let them.
  for (const [person, others] of [
    [tenant.users.user, 10],
    [tenant.users.main, 10],
  ] as const) {
    await leave(page);
    await enter(page, person, `${path}&tab=settings`);
    await expect(heading).toHaveText('Bus 2104');
    await expect(tabs.getByRole('link')).toHaveCount(others);
    await expect(page.getByLabel('Notes')).toHaveAttribute('readonly', '');
    const response = await page.request.patch('/data_manager/v1/dm/device', {
      headers: { authorization: `Bearer ${person.bearer}` },
      data: { device: found[0]!.id, note: 'mine' },
    });
    expect(response.status()).toBe(403);
    for (const label of ['Overview', 'Timeline', 'SIMs', 'Location', 'Diagnostics']) await tab(label);
    await expect(page.getByRole('button', { name: 'Reset PWD' })).toHaveAccessibleDescription(/Only admins/u);
  }
  await expect(status.getByRole('link', { name: tenant.orgName })).toBeVisible();
});

test('DPG-02 readings of 1 h to 30 d as charts with crosshair, ratings, gaps of outages, as table and CSV; neither they nor a pinned chart load the charting library', async ({
  page,
  tenant,
}) => {
  const group = await tenant.seeding.group(tenant.org, `Charts ${tenant.mark}`);
  const [router] = await tenant.routers(1, { group });
  const { rows: found } = await tenant.owner.query<{ id: string; router_id: string }>(
    'select id, router_id from devices where serial = $1',
    [router!.serial],
  );
  const { id, router_id: routerId } = found[0]!;
  await tenant.owner.query("select ensure_partitions((now() - interval '2 days')::date, (now() + interval '1 day')::date)");
  await tenant.owner.query("update router_ownership set owned_from = now() - interval '3 days' where router_id = $1", [routerId]);
  // Each five minutes of two days, but for an outage of four hours that ended an hour ago.
  await tenant.owner.query(
    `insert into telemetry_reports (router_id, at, rssi, rsrp, rsrq, sinr, temperature, voltage)
      select $1, now() - n * interval '5 minutes', -70 - n % 40, -90 - n % 30, -8 - n % 9, n % 25 - 4, 40 + n % 7, 12.5
      from generate_series(1, 570) n where n not between 12 and 60`,
    [routerId],
  );
  await tenant.owner.query(
    `insert into connectivity select $1, now() - ago, kind, 'connection-lost'
      from (values (interval '40 hours', 'online'), (interval '5 hours', 'offline'), (interval '1 hour', 'online')) v (ago, kind)`,
    [routerId],
  );
  const loaded = new Map<string, number>();
  page.on('requestfinished', async (request) => {
    if (['script', 'stylesheet'].includes(request.resourceType()))
      loaded.set(new URL(request.url()).pathname, (await request.sizes()).responseBodySize);
  });
  await enter(page, tenant.users.user, `/devices/setting?device=${id}`);
  const panel = page.getByRole('region', { name: 'Readings', exact: true });
  const power = panel.getByRole('region', { name: 'Signal power (RSRP) (dBm)' });
  for (const title of [
    'Signal strength (RSSI) (dBm)',
    'Signal quality (RSRQ) (dB)',
    'Signal to noise (SINR) (dB)',
    'Temperature (°F)',
    'Supply voltage (V)',
  ])
    await expect(panel.getByRole('region', { name: title })).toBeVisible();
  await expect(panel).toContainText('3GPP TS 36.133 and TS 38.133');
  for (const text of ['good ≥ −95 dBm', 'fair ≥ −110 dBm', 'poor < −110 dBm']) await expect(power).toContainText(text);
  await expect(power.locator('.time-chart__band')).toHaveCount(3);
  // The outage is shaded, and the line is broken there.
  await expect(power.locator('.time-chart__break')).toHaveCount(1);
  await expect(power.locator('.time-chart__line')).toHaveCount(2);

  // The crosshair, by pointer and by keyboard.
  const slider = power.getByRole('slider');
  const text = power.locator('.time-chart__text');
  await power.locator('.time-chart__area').hover({ position: { x: 40, y: 30 } });
  await expect(power.locator('.time-chart__cursor')).toHaveCount(1);
  await expect(text).toHaveText(/^−\d+(?:\.\d)? dBm · (?:good|fair|poor) · \d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d$/u);
  const pointed = await text.innerText();
  await page.mouse.move(0, 0);
  await expect(power.locator('.time-chart__cursor')).toHaveCount(0);
  await slider.focus();
  const last = await text.innerText();
  expect(last).not.toBe(pointed);
  await page.keyboard.press('ArrowLeft');
  await expect(text).not.toHaveText(last);
  await expect(slider).toHaveAttribute('aria-valuetext', await text.innerText());
  await page.keyboard.press('Home');
  await expect(power.locator('.time-chart__cursor')).toHaveCount(1);

  // As a table and as CSV.
  await power.getByRole('button', { name: 'View as table' }).click();
  await expect(power.getByRole('columnheader')).toHaveText(['Time', 'Min', 'Mean', 'Max']);
  const points = await power.locator('tbody tr').count();
  expect(points).toBeGreaterThan(200);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    power.getByRole('button', { name: 'Signal power (RSRP) (dBm) as CSV' }).click(),
  ]);
  const csv = await readFile(await download.path(), 'utf8');
  expect(csv.startsWith('\u{feff}Time,Min (dBm),Mean (dBm),Max (dBm)\r\n')).toBe(true);
  expect(csv.trim().split('\r\n')).toHaveLength(points + 1);
  await expectAccessible(page);
  await power.getByRole('button', { name: 'View as chart' }).click();

  // Each range, in the address.
  const ranges = panel.getByRole('group', { name: 'Time range of the readings' });
  await expect(ranges.getByRole('button')).toHaveText(['1 h', '6 h', '24 h', '7 d', '30 d']);
  for (const range of ['1 h', '6 h', '7 d', '30 d']) {
    await ranges.getByRole('button', { name: range, exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`range=${range.replace(' ', '')}$`, 'u'));
    await waitUntilLoaded(page);
    await expect(power.locator('.time-chart__line').first()).toBeAttached();
  }
  await page.reload();
  await waitUntilLoaded(page);
  await expect(ranges.getByRole('button', { name: '30 d' })).toHaveAttribute('aria-pressed', 'true');
  await expect(power.locator('.time-chart__line').first()).toBeAttached();
  expect([...loaded.keys()].filter((file) => /vega|draw/iu.test(file))).toEqual([]);

  // A pinned chart on the overview does not bring the charting library: all scripts and styles of a first visit, the lower parts of the
  // page and what is fetched in advance included, are less than half of what they were with it.
  const pin = await page.request.post('/vega_lite_manager/api/v1/store_draw', {
    headers: { authorization: `Bearer ${tenant.users.user.bearer}` },
    data: {
      spec: {},
      api: {
        chartType: 'average',
        arguments: { groupId: group, propertyId: 'rssi', conditons: 'appear', dayType: 'week', window: '1h' },
      },
      content: { mark: 'line', title: 'Average', argsLabel: [] },
    },
  });
  expect(pin.status()).toBe(200);
  const fresh = await page.context().browser()!.newContext({ baseURL: tenant.server.url, reducedMotion: 'reduce' });
  const visit = await fresh.newPage();
  const files = new Map<string, Promise<number>>();
  visit.on('requestfinished', (request) => {
    const { pathname } = new URL(request.url());
    if (/\.(?:js|css)$/u.test(pathname))
      files.set(
        pathname,
        request.sizes().then(({ responseBodySize }) => responseBodySize),
      );
  });
  await enter(visit, tenant.users.user, '/dashboard');
  const chart = visit.getByRole('region', { name: /^Average of Signal strength/u });
  await expect(chart.locator('.time-chart__line').first()).toBeAttached();
  await chart.getByRole('slider').focus();
  await expect(chart.locator('.time-chart__text')).toHaveText(/dBm · \d\d\/\d\d\/\d{4}/u);
  const sizes = await Promise.all(files.values());
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(200_000);
  expect([...files.keys()].filter((file) => /vega|draw/iu.test(file))).toEqual([]);
  await fresh.close();
});
