import { readFile } from 'node:fs/promises';
import { enter, expect, expectAccessible, test } from './fixtures.ts';
import { drawn, expectOtherLook, findPixels, pixelsOf, withWebGl } from './maps.ts';
import type { Tenant, TenantRouter } from './tenant.ts';

test.use(withWebGl);

const ROAD = [0x5b, 0x2b, 0xbf] as const;
const POOR = [0xe5, 0x48, 0x4d] as const;
const MARKER = [0x1f, 0x5f, 0xd6] as const;

/**
 * A drive on the day before yesterday from noon UTC on: 20 minutes north at 60 km/h, a stop of 10 minutes, 15 minutes without a position, 5
 * minutes west. @returns the id of the device and the ISO day
 */
async function drove(tenant: Tenant, { serial }: TenantRouter): Promise<{ id: string; day: string }> {
  const day = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
  await tenant.owner.query(`update devices set vehicle_number = 'Bus 12' where serial = $1`, [serial]);
  await tenant.owner.query(
    `update router_ownership set owned_from = now() - interval '7 days'
     where router_id = (select router_id from devices where serial = $1)`,
    [serial],
  );
  await tenant.owner.query('select ensure_position_partitions($1::date, $1::date), ensure_partitions($1::date, $1::date)', [day]);
  const { rows } = await tenant.owner.query<{ id: string }>(
    `with d as (select id, router_id from devices where serial = $1), n as (select $2::date + interval '12 hours' as noon),
      fixes as (
        select s, 41.85 + least(s, 1200) * 0.00015 as latitude, -87.65 - greatest(0, s - 2650) * 0.0002 as longitude,
          case when s between 1200 and 1800 then 0 else 60 end as speed
        from generate_series(0, 3000, 10) s where s not between 1810 and 2690),
      stored as (insert into positions (router_id, at, latitude, longitude, accuracy, speed, heading, is_jump)
        select d.router_id, (n.noon at time zone 'UTC') + s * interval '1 second', latitude, longitude, 5, speed, 0, false from d, n, fixes),
      newest as (insert into router_positions (router_id, at, latitude, longitude, speed, is_jump, stored_at)
        select d.router_id, (n.noon at time zone 'UTC') + interval '50 minutes', 42.03, -87.71, 60, false, now() from d, n),
      readings as (insert into telemetry_reports (router_id, at, rssi)
        select d.router_id, (n.noon at time zone 'UTC') + s * interval '1 second', case when s < 900 then -70 else -101 end
        from d, n, generate_series(0, 3000, 60) s)
     select id from d`,
    [serial, day],
  );
  return { id: rows[0]!.id, day };
}

test('POS-04 POS-07-partial the trail of a day on the device page: stops, gaps, speed and signal, scrubbed by mouse and keyboard, and as files', async ({
  page,
  tenant,
}) => {
  const [bus, plow] = (await tenant.routers(2)) as [TenantRouter, TenantRouter];
  const { id, day } = await drove(tenant, bus);
  await page.context().addCookies([{ name: 'timezone', value: 'Pacific/Honolulu', url: tenant.server.url }]);
  await enter(page, tenant.users.admin, `/devices/setting?device=${id}&tab=location`);
  const newest = page.getByRole('region', { name: 'Last position' });
  await expect(newest).toContainText('No position for 24 h');
  await expect(newest).toContainText('42.03000, -87.71000');
  await expect(page.getByText('No positions on this day')).toBeVisible();
  await page.getByRole('button', { name: /^Show \d/u }).click();
  await expect(page).toHaveURL(new RegExp(`day=${day}`, 'u'));

  // The day on the map: the line in the colour of the speed, the marker at the last position.
  const panel = page.getByRole('region', { name: 'Trail', exact: true });
  await expect(drawn(page)).toBeVisible();
  await expect.poll(() => pixelsOf(page, drawn(page), ROAD)).toBeGreaterThan(300);
  const end = await findPixels(page, drawn(page), MARKER);
  expect(end.count).toBeGreaterThan(50);
  await expect(panel).toContainText(/1\d\smi/u);

  // The stop and the gap, each of which leads to its time; noon in London is 2 in the morning in Honolulu.
  const stops = page.getByRole('list', { name: 'Stops' });
  await expect(stops.getByRole('button')).toHaveCount(2);
  await expect(stops).toContainText('02:20:00 – 02:30:00');
  await expect(stops).toContainText('02:30:00 – 02:45:00');
  const slider = page.getByRole('slider', { name: 'Time', exact: true });
  await stops.getByRole('button', { name: /Stop/u }).click();
  await expect(slider).toHaveAttribute('aria-valuetext', /02:20:00 · .* · −101 dBm/u);

  // The keyboard moves the marker and the charts by a position.
  await slider.focus();
  await page.keyboard.press('Home');
  await expect(slider).toHaveAttribute('aria-valuetext', /02:00:00 · 37\smph · −70 dBm/u);
  // The drive began in the south.
  await expect.poll(async () => (await findPixels(page, drawn(page), MARKER)).y).toBeGreaterThan(end.y + 100);
  const speed = panel.getByRole('region', { name: 'Speed (mph)' });
  await expect(speed).toContainText('37 mph · ');
  await expect(speed).toContainText('02:00:00');
  for (let press = 0; press < 6; press += 1) await page.keyboard.press('ArrowRight');
  await expect(slider).toHaveAttribute('aria-valuetext', /02:01:00/u);
  await expect(panel.getByRole('region', { name: 'Signal (dBm)' })).toContainText('02:01:00');
  // So does a pointer in a chart.
  const plot = (await speed.locator('.time-chart__area').boundingBox())!;
  await page.mouse.move(plot.x + (plot.width * 2.25) / 24, plot.y + plot.height / 2);
  await expect(slider).toHaveAttribute('aria-valuetext', /02:\d\d:\d\d/u);
  await expect(slider).not.toHaveAttribute('aria-valuetext', /02:01:00/u);

  await panel.getByRole('button', { name: 'Signal', exact: true }).click();
  await expect(page).toHaveURL(/color=signal/u);
  await expect.poll(() => pixelsOf(page, drawn(page), POOR)).toBeGreaterThan(100);

  await panel.getByRole('button', { name: /^Show \d+ positions as a table/u }).click();
  await expect(panel.getByRole('table').getByRole('row')).toHaveCount(213);
  await expectAccessible(page);

  // Files of the same day.
  const contents: Record<string, string> = {};
  for (const format of ['GeoJSON', 'GPX', 'CSV']) {
    const [download] = await Promise.all([page.waitForEvent('download'), panel.getByRole('button', { name: format }).click()]);
    expect(download.suggestedFilename()).toBe(`Trail ${day}.${format.toLowerCase()}`);
    contents[format] = await readFile(await download.path(), 'utf8');
  }
  expect(JSON.parse(contents['GeoJSON']!).features).toHaveLength(3);
  expect(contents['GPX']!.match(/<trkpt/gu)).toHaveLength(212);
  expect(contents['CSV']!.trim().split('\r\n')).toHaveLength(213);

  await expectOtherLook(page);

  // A router that never had a position says so.
  const { rows } = await tenant.owner.query<{ id: string }>('select id from devices where serial = $1', [plow.serial]);
  await page.goto(`/devices/setting?device=${rows[0]!.id}&tab=location`);
  await expect(newest).toContainText('Never had a position');
});
